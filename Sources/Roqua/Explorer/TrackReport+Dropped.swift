import GeoStore
import TrackIngest

extension TrackReport {
  /// Returns how many points each limit of the filter dropped, from a report as the store keeps it.
  static func droppedPoints(inReport text: String) -> [SettingKey: Int] {
    let dropped = JSONObjectText.integers(in: "dropped", of: text)
    let reasons: [SettingKey: DropReason] = [
      .maximumAccuracyMeters: .inaccurate, .trackingDistanceMeters: .tooClose,
      .minimumIntervalSeconds: .tooSoon, .maximumSpeedMetersPerSecond: .implausible,
    ]
    return reasons.compactMapValues { reason in
      dropped[reason.rawValue].flatMap { (0...1 << 40).contains($0) ? $0 : nil }
    }
  }
}
