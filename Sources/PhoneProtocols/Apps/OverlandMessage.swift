import Geodesy
import TrackIngest

/// Messages of Overland: an object with an array `locations` of GeoJSON features. `current` and
/// `trip` repeat positions that come in a batch, and are not read.
///
/// - Source: <https://github.com/aaronpk/Overland-iOS#api>.
enum OverlandMessage {
  static func read(
    _ message: PhoneMessage, latest: Timestamp
  ) throws(MessageError) -> PhoneReading {
    guard let locations = try MessageJSON(message.body)["locations"]?.elements else {
      throw .malformed("A message of Overland has an array locations.")
    }
    var reading = PhoneReading()
    for one in locations {
      // Trips, visits and logs of the app have no point.
      guard let geometry = one["geometry"], geometry["type"]?.text == "Point" else {
        reading.otherMessages += 1
        continue
      }
      let (axes, properties) = (geometry["coordinates"]?.elements ?? [], one["properties"])
      let position = PositionFields(
        latitude: axes.count > 1 ? axes[1].field : nil, longitude: axes.first?.field,
        time: properties?["timestamp"]?.field,
        accuracy: properties?["horizontal_accuracy"]?.field,
        elevation: properties?["altitude"]?.field, speed: properties?["speed"]?.field)
      if let fix = position.fix(latest: latest) {
        reading.fixes.append(fix)
      } else {
        reading.skipped += 1
      }
    }
    return reading
  }
}
