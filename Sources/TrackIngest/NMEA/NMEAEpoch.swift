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
  private var oldest = 0

  /// Adds a closed epoch, in place of the one that was added or found longest ago.
  @inline(__always)
  mutating func insert(timeOfDay: Int32, date: NMEAClock.Date) {
    timesOfDay[oldest] = timeOfDay
    if case .day(let day) = date { days[oldest] = day } else { days[oldest] = -1 }
    oldest = (oldest + 1) & 3
  }

  /// Returns true if an epoch of this time was closed recently. If both have a date, the dates must
  /// be equal.
  @inline(__always)
  mutating func contains(timeOfDay: Int32, date: NMEAClock.Date) -> Bool {
    let hits = timesOfDay .== SIMD4(repeating: timeOfDay)
    guard any(hits) else { return false }
    for index in 0..<4 where hits[index] {
      if case .day(let day) = date, days[index] >= 0, days[index] != day { continue }
      if oldest == index { oldest = (index + 1) & 3 }
      return true
    }
    return false
  }
}
