import Geodesy

@testable import TrackIngest

/// The rules of the filter, applied to a whole segment at once with exact distances only.
enum SlowFixFilter {
  static func verdicts(of segment: [Fix], settings: FilterSettings) -> [Verdict] {
    var verdicts = [Verdict?](repeating: nil, count: segment.count)
    for (index, fix) in segment.enumerated() {
      if fix.coordinate.latitudeE7 == 0, fix.coordinate.longitudeE7 == 0 {
        verdicts[index] = .dropped(.nullIsland)
      } else if let accuracy = fix.horizontalAccuracyMeters,
        accuracy.isNaN || accuracy <= 0 || accuracy > settings.maximumAccuracyMeters
      {
        verdicts[index] = .dropped(.inaccurate)
      }
    }
    let usable = segment.indices.filter { verdicts[$0] == nil }
    var plausible: [Int] = []
    for (rank, index) in usable.enumerated() {
      let before = plausible.last
      let after = rank + 1 < usable.count ? usable[rank + 1] : nil
      let isGlitch =
        if let before, let after {
          isTooFast(segment[before], segment[index], settings)
            && isTooFast(segment[index], segment[after], settings)
        } else {
          false
        }
      if !isGlitch { plausible.append(index) }
      let kept = usable.last { $0 < index && verdicts[$0] == .kept }
      verdicts[index] =
        redundancy(segment[index], after: kept.map { segment[$0] }, settings)
        ?? (isGlitch ? .dropped(.implausible) : .kept)
    }
    return verdicts.compactMap { $0 }
  }

  private static func redundancy(_ fix: Fix, after kept: Fix?, _ settings: FilterSettings)
    -> Verdict?
  {
    guard let kept else { return nil }
    if let time = fix.time, let keptTime = kept.time, time >= keptTime {
      let seconds = Double(time.millisecondsSince1970 - keptTime.millisecondsSince1970) / 1_000
      if seconds + openSeconds(fix, kept) < settings.minimumIntervalSeconds {
        return .dropped(.tooSoon)
      }
    }
    let meters = kept.coordinate.distanceMeters(to: fix.coordinate)
    return meters < settings.trackingDistanceMeters ? .dropped(.tooClose) : nil
  }

  /// What may have passed between two times besides their difference.
  private static func openSeconds(_ a: Fix, _ b: Fix) -> Double {
    let resolutions = [a.timeResolution, b.timeResolution]
    return resolutions.contains(.day) ? 86_400 : resolutions.contains(.minute) ? 60 : 0
  }

  private static func isTooFast(_ a: Fix, _ b: Fix, _ settings: FilterSettings) -> Bool {
    guard let start = a.time, let end = b.time else { return false }
    let seconds = abs(Double(end.millisecondsSince1970 - start.millisecondsSince1970)) / 1_000
    return a.coordinate.distanceMeters(to: b.coordinate) > settings.maximumSpeedMetersPerSecond
      * max(1, seconds + openSeconds(a, b))
  }
}
