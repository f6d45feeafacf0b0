/// The values of all sentences of one moment, which become at most one fix.
struct NMEAEpoch {
  /// True if a sentence has opened it.
  var isOpen = false
  /// Milliseconds since midnight, or ``NMEAField/noTime``.
  var timeOfDay = NMEAField.noTime
  /// The date that a sentence of this epoch gave.
  var date = NMEAClock.Date.missing
  /// True if a sentence had an invalid time.
  var hasBadTime = false
  /// The kinds seen, as bits of ``NMEAKind``.
  var kinds: UInt16 = 0
  /// True if there is a position.
  var hasPosition = false
  /// True if a sentence said that there is no fix.
  var saysNoFix = false
  /// True if a sentence said that there is a fix and had no valid position.
  var hasInvalidPosition = false
  /// True if a sentence with a wrong checksum would have given a position.
  var hasBadChecksum = false
  /// The talker that gave the position.
  var talker: UInt16 = 0
  /// The kind of the sentence that gave the position, as a bit of ``NMEAKind``.
  var positionKind: UInt16 = 0
  /// Units of 1e-7 degree.
  var latitudeE7: Int32 = 0
  /// Units of 1e-7 degree.
  var longitudeE7: Int32 = 0
  /// The line of the position, or else of the first sentence.
  var line = 0
  /// Meters above sea level; NaN if unknown, like all that follow.
  var elevationMeters = Double.nan
  /// HDOP of GGA or GNS.
  var hdop = Double.nan
  /// HDOP of GSA.
  var hdopOfGSA = Double.nan
  /// √(σ_lat² + σ_lon²) of GST, in meters.
  var metersOfGST = Double.nan
  /// The same of GBS, in meters.
  var metersOfGBS = Double.nan
  /// HPE of `$PGRME`, in meters.
  var metersOfRME = Double.nan
  /// Speed of RMC, in meters per second.
  var speedOfRMC = Double.nan
  /// Speed of VTG, in meters per second.
  var speedOfVTG = Double.nan

  /// True if a sentence that could have given a position was seen.
  var isReport: Bool { kinds & NMEAKind.positionBits != 0 || hasBadChecksum }

  /// Horizontal accuracy in meters: as stated by GST, `$PGRME` or GBS, in this order, else HDOP
  /// times ``Fix/metersPerHDOP``; nil if unknown.
  var horizontalAccuracyMeters: Double? {
    if !metersOfGST.isNaN { return metersOfGST }
    if !metersOfRME.isNaN { return metersOfRME }
    if !metersOfGBS.isNaN { return metersOfGBS }
    // Receivers write a dilution of zero for "unknown".
    if hdop > 0 { return hdop * Fix.metersPerHDOP }
    if hdopOfGSA > 0 { return hdopOfGSA * Fix.metersPerHDOP }
    return nil
  }

  /// Speed in meters per second, of RMC or else VTG; nil if unknown.
  var speedMetersPerSecond: Double? {
    speedOfRMC.isNaN ? (speedOfVTG.isNaN ? nil : speedOfVTG) : speedOfRMC
  }
}

/// The last closed epochs, to recognize sentences that come late.
struct NMEARecentEpochs {
  private var timesOfDay = SIMD4<Int32>(repeating: NMEAField.noTime)
  private var days = SIMD4<Int32>(repeating: -1)
  /// The kind of the sentence that gave the position; without a position, all kinds.
  private var kinds = SIMD4<UInt16>(repeating: 0)
  /// The talker that gave the position; 0 without a position.
  private var talkers = SIMD4<UInt16>(repeating: 0)
  private var latitudesE7 = SIMD4<Int32>(repeating: 0)
  private var longitudesE7 = SIMD4<Int32>(repeating: 0)
  private var oldest = 0

  /// Adds a closed epoch, in place of the one that was added or found longest ago.
  @inline(__always)
  mutating func insert(_ epoch: NMEAEpoch) {
    timesOfDay[oldest] = epoch.timeOfDay
    if case .day(let day) = epoch.date { days[oldest] = day } else { days[oldest] = -1 }
    kinds[oldest] = epoch.hasPosition ? epoch.positionKind : epoch.kinds
    talkers[oldest] = epoch.hasPosition ? epoch.talker : 0
    latitudesE7[oldest] = epoch.latitudeE7
    longitudesE7[oldest] = epoch.longitudeE7
    oldest = (oldest + 1) & 3
  }

  /// Returns true if a sentence belongs to an epoch that was closed recently: one of its time, of
  /// which it does not give another position. If both have a date, the dates must be equal.
  ///
  /// - Parameter position: the position of the sentence; nil if it has none that counts.
  @inline(__always)
  mutating func contains(
    timeOfDay: Int32, date: NMEAClock.Date, kind: NMEAKind, talker: UInt16, position: NMEAPosition?
  ) -> Bool {
    let hits = timesOfDay .== SIMD4(repeating: timeOfDay)
    guard any(hits) else { return false }
    for index in 0..<4 where hits[index] {
      if case .day(let day) = date, days[index] >= 0, days[index] != day { continue }
      if isAnother(position, kind: kind, talker: talker, than: index) { continue }
      if oldest == index { oldest = (index + 1) & 3 }
      return true
    }
    return false
  }

  /// Returns true if a position is not the one of a closed epoch: a sentence of the same kind gave
  /// another, or none. Sentences of other kinds may round the same position differently.
  private func isAnother(
    _ position: NMEAPosition?, kind: NMEAKind, talker: UInt16, than index: Int
  ) -> Bool {
    guard case .valid(let latitudeE7, let longitudeE7, _)? = position,
      kinds[index] & kind.rawValue != 0
    else { return false }
    if talkers[index] == 0 { return true }
    return talkers[index] == talker
      && (latitudesE7[index] != latitudeE7 || longitudesE7[index] != longitudeE7)
  }
}
