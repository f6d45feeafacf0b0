import Geodesy
import TrackIngest

/// A position in the fields of a query or a form, or in an object of JSON with the same names: what
/// OsmAnd, the older Traccar Client and GPSLogger send.
///
/// - Source: <https://www.traccar.org/osmand/>; GPSLogger's default URL
///   (`lat=%LAT&longitude=%LON&time=%TIME&s=%SPD`) and `%ALL`.
enum FieldsMessage {
  /// Reads a message.
  ///
  /// - Parameter speedUnit: the number of meters per second of one unit of its speed.
  static func read(
    _ message: PhoneMessage, speedUnit: Double, latest: Timestamp
  ) throws(MessageError) -> PhoneReading {
    let document = message.isJSON ? try MessageJSON(message.body) : nil
    let fields = message.fields
    var reading = PhoneReading()
    let messages: [MessageJSON?] = document?.elements?.map { $0 } ?? [document]
    for one in messages {
      func field(_ names: String...) -> FieldText? {
        for name in names {
          if let found = one?[name]?.field ?? fields.field(name) { return found }
        }
        return nil
      }
      var position = PositionFields(
        latitude: field("lat", "latitude"), longitude: field("lon", "lng", "long", "longitude"),
        // GPSLogger's `time` is the moment, and its `timestamp` the same in whole seconds.
        time: field("time", "timestamp"), accuracy: field("accuracy", "acc"), hdop: field("hdop"),
        elevation: field("altitude", "alt"), speed: field("speed", "spd", "s"),
        speedUnit: speedUnit)
      if position.latitude == nil, let pair = field("location") {
        // "latitude,longitude"
        let parts = pair.bytes.split(separator: UInt8(ascii: ","), maxSplits: 1)
        position.latitude = parts.first.map { FieldText(Array($0), isText: true) }
        position.longitude = parts.dropFirst().first.map { FieldText(Array($0), isText: true) }
      }
      guard position.latitude != nil || position.longitude != nil else {
        // Traccar Client asks for help, and trackers report a battery, without a position.
        guard field("id") != nil || field("deviceid") != nil else {
          throw .malformed("The message has no lat and lon.")
        }
        reading.otherMessages += 1
        continue
      }
      let valid = field("valid").map { String(decoding: $0.bytes, as: UTF8.self).lowercased() }
      if valid != "false", valid != "0", let fix = position.fix(latest: latest) {
        reading.fixes.append(fix)
      } else {
        reading.skipped += 1
      }
    }
    return reading
  }
}
