/// Everything that the sentences of one moment say: one epoch becomes at most one fix.
struct NMEAEpoch {
  /// Whether a sentence has opened it.
  var isOpen = false
  /// Milliseconds since midnight, or ``NMEAField/noTime``.
  var timeOfDay = NMEAField.noTime
  /// The date that a sentence of this epoch gave.
  var date = NMEAClock.Date.missing
  /// Whether a sentence gave a time that is none.
  var hasBadTime = false
  /// The kinds seen, as bits of ``NMEAKind``.
  var kinds: UInt16 = 0
  /// Whether there is a position.
  var hasPosition = false
  /// Whether a sentence said that there is no fix.
  var saysNoFix = false
  /// Whether a sentence said that there is a fix and gave no valid position.
  var hasInvalidPosition = false
  /// Whether a sentence with a wrong checksum would have given a position.
  var hasBadChecksum = false
  /// The talker whose position it is.
  var talker: UInt16 = 0
  /// Units of 1e-7 degree.
  var latitudeE7: Int32 = 0
  /// Units of 1e-7 degree.
  var longitudeE7: Int32 = 0
  /// Where the position is, or else the first sentence.
  var line = 0
  /// Metres above sea level; NaN where unknown, as all that follow.
  var elevationMeters = Double.nan
  /// HDOP of GGA or GNS.
  var hdop = Double.nan
  /// HDOP of GSA.
  var hdopOfGSA = Double.nan
  /// √(σ_lat² + σ_lon²) of GST, in metres.
  var metersOfGST = Double.nan
  /// The same of GBS, in metres.
  var metersOfGBS = Double.nan
  /// HPE of `$PGRME`, in metres.
  var metersOfRME = Double.nan
  /// Speed of RMC, in metres a second.
  var speedOfRMC = Double.nan
  /// Speed of VTG, in metres a second.
  var speedOfVTG = Double.nan

  /// Whether a sentence that could have given a position was seen.
  var isReport: Bool { kinds & NMEAKind.positionBits != 0 || hasBadChecksum }

  /// Horizontal accuracy in metres: what the log states in metres, GST before `$PGRME` before GBS, else HDOP
  /// times ``Fix/metersPerHDOP``, else unknown.
  var horizontalAccuracyMeters: Double? {
    if !metersOfGST.isNaN { return metersOfGST }
    if !metersOfRME.isNaN { return metersOfRME }
    if !metersOfGBS.isNaN { return metersOfGBS }
    // A dilution of zero does not exist: receivers write it where they do not know.
    if hdop > 0 { return hdop * Fix.metersPerHDOP }
    if hdopOfGSA > 0 { return hdopOfGSA * Fix.metersPerHDOP }
    return nil
  }

  /// Speed in metres a second: RMC's before VTG's; nil where unknown.
  var speedMetersPerSecond: Double? {
    speedOfRMC.isNaN ? (speedOfVTG.isNaN ? nil : speedOfVTG) : speedOfRMC
  }
}

/// The epochs closed last, so that a sentence that comes late is known as such.
struct NMEARecentEpochs {
  private var timesOfDay = SIMD4<Int32>(repeating: NMEAField.noTime)
  private var days = SIMD4<Int32>(repeating: -1)
  private var oldest = 0

  /// Notes a closed epoch in place of the one that was closed or asked for longest ago.
  @inline(__always)
  mutating func insert(timeOfDay: Int32, date: NMEAClock.Date) {
    timesOfDay[oldest] = timeOfDay
    if case .day(let day) = date { days[oldest] = day } else { days[oldest] = -1 }
    oldest = (oldest + 1) & 3
  }

  /// Whether an epoch of this time was closed lately. Where both give a date it has to be the same.
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
