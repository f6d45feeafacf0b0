import Geodesy
import TrackIngest

/// Messages of Traccar Client: JSON from version 9, fields of a query or a form before.
///
/// - Source: <https://www.traccar.org/osmand/>. A speed is in meters per second in JSON, and in
///   knots in fields.
enum TraccarMessage {
  static func read(
    _ message: PhoneMessage, latest: Timestamp
  ) throws(MessageError) -> PhoneReading {
    guard message.isJSON else {
      return try FieldsMessage.read(
        message, speedUnit: PositionFields.metersPerSecondOfKnot, latest: latest)
    }
    let document = try MessageJSON(message.body)
    var reading = PhoneReading()
    for one in document.elements ?? [document] {
      guard let location = one["location"] else {
        throw .malformed("A message of Traccar Client has an object location.")
      }
      // One position, or an array of those that waited.
      for place in location.elements ?? [location] {
        let coords = place["coords"]
        let position = PositionFields(
          latitude: coords?["latitude"]?.field, longitude: coords?["longitude"]?.field,
          time: place["timestamp"]?.field, accuracy: coords?["accuracy"]?.field,
          elevation: coords?["altitude"]?.field, speed: coords?["speed"]?.field)
        if let fix = position.fix(latest: latest) {
          reading.fixes.append(fix)
        } else {
          reading.skipped += 1
        }
      }
    }
    return reading
  }
}
