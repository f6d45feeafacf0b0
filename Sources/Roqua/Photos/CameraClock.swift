import Geodesy

/// The clock of one camera, worked out from its photos that have a position.
package struct CameraClock: Hashable, Sendable {
  /// How far the clock is ahead of UTC.
  package var offset: ClockOffset
  /// The number of photos that it was worked out from.
  package var photos: Int
  /// The median distance in meters of these photos from the track, with this offset; nil if they
  /// state the time by GPS, which gives the offset without a track.
  package var medianMeters: Double?
}

/// Works out the offset of a camera's clock from UTC.
///
/// Photos that state the time by GPS give it directly: the median of what their clock shows minus
/// that time. Otherwise every offset of up to 14 hours is tried, in steps of a minute; around those
/// that put the photos nearest to the track, every second. Only positions that were measured count.
/// Where several offsets are equally near, because the person stayed or came back, the one nearest
/// to the clocks of the place counts. An offset that differs from these clocks needs two photos,
/// and no other one that is as near.
struct CameraClockFinder {
  let whereabouts: Whereabouts
  private var clock: PlaceClock

  /// Photos that are compared with the track: enough for a camera of years.
  private static let mostPhotos = 100
  /// A photo farther from the track than this counts as this far, so that a photo of another day
  /// decides nothing.
  private static let farthestMeters = 5_000.0
  /// The median distance at which the track fits the photos.
  private static let fittingMeters = 250.0
  /// Offsets whose mean distance differs by less are equally near: photos and fixes are off by some
  /// tens of meters.
  private static let equalMeters = 50.0
  /// The fewest photos that show an offset which differs from the clocks of the place.
  private static let fewestPhotos = 2
  /// Offsets that differ by less are one.
  private static let separateOffset: Int64 = 10 * minute
  /// The minutes around which every second is tried.
  private static let refinedMinutes = 10
  private static let minute: Int64 = 60_000
  private static let farthestOffset: Int64 = 14 * 60 * minute

  init(_ whereabouts: Whereabouts, clock: PlaceClock) {
    self.whereabouts = whereabouts
    self.clock = clock
  }

  /// A photo that has a position.
  private struct Sample {
    let local: Int64
    let position: Coordinate
  }

  /// The clock of a camera; nil if its photos do not show it.
  mutating func clock(of photos: [PhotoFacts]) -> CameraClock? {
    let byGPS = photos.compactMap { photo in
      photo.clockTime.flatMap { time in
        photo.gpsTime.map { time.local - $0.millisecondsSince1970 }
      }
    }.sorted()
    if !byGPS.isEmpty {
      let second = Self.roundedToSecond(byGPS[byGPS.count / 2])
      return CameraClock(offset: ClockOffset(milliseconds: second), photos: byGPS.count)
    }
    let samples = Self.thinned(
      photos.compactMap { photo in
        guard let time = photo.clockTime, time.offset == nil, let position = photo.position,
          photo.isPositionMeasured
        else { return nil }
        return Sample(local: time.local, position: position)
      })
    guard let first = samples.first, whereabouts.fixCount > 0 else { return nil }
    // What clocks show at the place; the hours by which the moment is not known make no difference
    // but on the days on which clocks change.
    let usual = clock.offset(
      at: Timestamp(millisecondsSince1970: first.local), in: first.position)
    guard let fine = offset(near: usual, samples) else { return nil }
    let distances = samples.map { distance(of: $0, offset: fine) }.sorted()
    let median = distances[distances.count / 2]
    guard median <= Self.fittingMeters else { return nil }
    return CameraClock(
      offset: ClockOffset(milliseconds: fine), photos: samples.count, medianMeters: median)
  }

  /// The offset that puts the photos nearest to the track; of those that are equally near, the one
  /// nearest to `usual`. Nil if that differs from `usual` and too few photos show it, or if another
  /// one is as near.
  private func offset(near usual: Int64, _ samples: [Sample]) -> Int64? {
    let minutes = stride(
      from: -Self.farthestOffset, through: Self.farthestOffset, by: Int(Self.minute))
    let coarse = minutes.map { Fit(offset: $0, meters: meanDistance(samples, offset: $0)) }
      .sorted { ($0.meters, abs($0.offset - usual)) < ($1.meters, abs($1.offset - usual)) }
    let fine = Set(
      coarse.prefix(Self.refinedMinutes).flatMap { fit in
        stride(from: fit.offset - Self.minute, through: fit.offset + Self.minute, by: 1_000)
      }
    ).map { Fit(offset: $0, meters: meanDistance(samples, offset: $0)) }
    let least = fine.map(\.meters).min() ?? 0
    let near =
      fine.filter { $0.meters <= least + Self.equalMeters }
      .min { abs($0.offset - usual) < abs($1.offset - usual) }?.offset ?? usual
    if abs(near - usual) > Self.separateOffset {
      let isAmbiguous = coarse.contains {
        abs($0.offset - near) > Self.separateOffset && $0.meters <= least + Self.equalMeters
      }
      guard samples.count >= Self.fewestPhotos, !isAmbiguous else { return nil }
    }
    return fine.filter { abs($0.offset - near) <= Self.minute }
      .min { ($0.meters, abs($0.offset - usual)) < ($1.meters, abs($1.offset - usual)) }?.offset
      ?? near
  }

  /// An offset, and the mean distance of the photos from the track with it.
  private struct Fit {
    let offset: Int64
    let meters: Double
  }

  private func meanDistance(_ samples: [Sample], offset: Int64) -> Double {
    samples.reduce(0) { $0 + distance(of: $1, offset: offset) } / Double(samples.count)
  }

  /// The distance of a photo from the track at its time.
  private func distance(of sample: Sample, offset: Int64) -> Double {
    let time = Timestamp(millisecondsSince1970: sample.local - offset)
    guard let estimate = whereabouts.position(at: time), estimate.certainty.isRecorded else {
      return Self.farthestMeters
    }
    return min(Self.farthestMeters, estimate.coordinate.distanceMeters(to: sample.position))
  }

  /// At most ``mostPhotos`` of them, evenly spaced.
  private static func thinned(_ samples: [Sample]) -> [Sample] {
    guard samples.count > mostPhotos else { return samples }
    return (0..<mostPhotos).map { samples[$0 * samples.count / mostPhotos] }
  }

  private static func roundedToSecond(_ milliseconds: Int64) -> Int64 {
    Int64((Double(milliseconds) / 1_000).rounded()) * 1_000
  }
}
