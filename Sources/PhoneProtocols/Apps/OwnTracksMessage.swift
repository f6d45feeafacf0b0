import Geodesy
import TrackIngest

/// Messages of OwnTracks: one JSON object, or an array of them.
///
/// - Source: OwnTracks Booklet, <https://owntracks.org/booklet/tech/json/> and `tech/http`.
enum OwnTracksMessage {
  /// A kilometer per hour in meters per second.
  private static let kilometersPerHour = 1 / 3.6

  static func read(
    _ message: PhoneMessage, latest: Timestamp
  ) throws(MessageError) -> PhoneReading {
    var reading = PhoneReading()
    // The app sends nothing at all when a friend is deleted, and wants it ignored.
    guard message.body.contains(where: { $0 > 0x20 }) else {
      reading.otherMessages = 1
      return reading
    }
    let document = try MessageJSON(message.body)
    for one in document.elements ?? [document] {
      guard let type = one["_type"]?.text else {
        throw .malformed("A message of OwnTracks has a member _type.")
      }
      guard type == "location" else {
        if type == "encrypted" {
          throw .malformed("The message is encrypted; switch the app's encryption off, use TLS.")
        }
        reading.otherMessages += 1
        continue
      }
      let position = PositionFields(
        latitude: one["lat"]?.field, longitude: one["lon"]?.field, time: one["tst"]?.field,
        accuracy: one["acc"]?.field, elevation: one["alt"]?.field, speed: one["vel"]?.field,
        speedUnit: kilometersPerHour)
      if let fix = position.fix(latest: latest) {
        reading.fixes.append(fix)
      } else {
        reading.skipped += 1
      }
    }
    return reading
  }
}
