import Geodesy

/// What a photo or video says about its time and position.
package struct PhotoFacts: Hashable, Sendable {
  /// A time by the clock of a camera, and what is known of its offset from UTC.
  package struct ClockTime: Hashable, Sendable {
    /// Milliseconds from 1970-01-01T00:00 by the camera's clock.
    package var local: Int64
    /// The offset of the clock from UTC in milliseconds, if the file states it.
    package var offset: Int64?

    /// Creates a time by a camera's clock.
    package init(local: Int64, offset: Int64? = nil) {
      (self.local, self.offset) = (local, offset)
    }
  }

  /// The path of the file.
  package var path: String
  /// Maker, model and serial number; nil if the file names no model.
  package var camera: String?
  /// Whether it is a video.
  package var isVideo = false
  /// When it was taken, by the camera's clock.
  package var clockTime: ClockTime?
  /// The time by GPS.
  package var gpsTime: Timestamp?
  /// The time that a video states in UTC.
  package var videoTime: Timestamp?
  /// The position in the file or in its sidecar.
  package var position: Coordinate?
  /// False if ``position`` was not measured where the photo was taken, but added later, as by
  /// `roqua photos`: it may follow from the time by the camera's clock, so it does not show whether
  /// that clock is right.
  package var isPositionMeasured = true

  /// Creates facts about a file of which nothing else is known.
  package init(path: String) { self.path = path }

  /// The moment, if the file states it, and by what.
  var exactTime: (time: Timestamp, source: PhotoClock)? {
    if let clockTime, let offset = clockTime.offset {
      return (Timestamp(millisecondsSince1970: clockTime.local - offset), .file)
    }
    if let gpsTime { return (gpsTime, .gps) }
    return videoTime.map { ($0, .video) }
  }
}

/// How the moment of a photo was found, the most certain one first.
package enum PhotoClock: String, CaseIterable, Sendable {
  /// The file states the offset of the camera's clock from UTC.
  case file
  /// The file states the time by GPS.
  case gps
  /// A video states its time in UTC.
  case video
  /// By the offset that the user stated.
  case option
  /// By the offset of the camera that was worked out from photos that have a position.
  case camera
  /// By the time zone of the place where the person was.
  case place
}
