/// Selects the fixes of one receiver from the reports of gpsd, which may have several devices.
///
/// The first device that has a fix is used, and another only if that one has had none for
/// ``longestSilenceMilliseconds``, so that two receivers do not give a zigzag.
package struct GPSDFixes {
  /// A device that is this much behind another is no longer used: ten seconds.
  static let longestSilenceMilliseconds: Int64 = 10_000
  /// A GST message up to this much older than a fix gives its accuracy: two seconds. gpsd sends the
  /// one of the same moment after the TPV message of some receivers.
  static let longestDeviationAgeMilliseconds: Int64 = 2_000

  /// The only device to use; nil for any.
  private let device: String?
  /// The device in use, and the time of its last fix: nil if it could not be read.
  private var present: (device: String?, time: Int64?, isPossible: Bool)?
  private var deviation: GPSDDeviation?

  /// What a report gives.
  package enum Outcome: Hashable, Sendable {
    /// The next fix.
    case fix(Fix)
    /// The receiver has no fix.
    case noFix
    /// Nothing: it is of another device, says nothing new, or has no time yet.
    case nothing
  }

  /// Creates a selection.
  ///
  /// - Parameter device: the path of the device to use; nil for the first that has a fix.
  package init(device: String? = nil) { self.device = device }

  /// Takes the standard deviations of a position.
  package mutating func take(_ deviation: GPSDDeviation) {
    guard deviation.time != nil, deviation.meters.isFinite else { return }
    self.deviation = deviation
  }

  /// Takes a report.
  ///
  /// A fix without a time gives nothing: gpsd repeats it with its time as soon as that is known. So
  /// does a repeated report of the last moment. One with an impossible time is a fix without one.
  package mutating func take(_ report: GPSDReport) -> Outcome {
    if let device, let other = report.device, device != other { return .nothing }
    guard report.hasFix else {
      return present == nil || present?.device == report.device ? .noFix : .nothing
    }
    guard report.statesTime, var fix = report.fix else { return .nothing }
    let time = report.statedTime ?? fix.time?.millisecondsSince1970
    if let present {
      if present.device == report.device {
        if let time, present.time == time { return .nothing }
      } else if fix.time == nil, present.isPossible {
        // A device whose clock is wrong shows nothing of another one's silence.
        return .nothing
      } else if present.isPossible || fix.time == nil {
        guard let time, let last = present.time,
          time &- last > Self.longestSilenceMilliseconds
        else { return .nothing }
      }
    }
    present = (report.device, time, fix.time != nil)
    if let time, let deviation, deviation.device == report.device,
      let age = deviation.time.map({ time &- $0 }),
      (0...Self.longestDeviationAgeMilliseconds).contains(age)
    {
      fix.horizontalAccuracyMeters = deviation.meters
    }
    return .fix(fix)
  }
}
