import Geodesy
import TrackIngest

/// An app that sends the positions of a phone over HTTP. `docs/serve.md` lists what each sends and
/// expects, with the sources.
package enum PhoneApp: String, CaseIterable, Sendable {
  /// OwnTracks in HTTP mode (<https://owntracks.org/booklet/tech/http/>).
  case owntracks
  /// Overland (<https://github.com/aaronpk/Overland-iOS#api>).
  case overland
  /// OsmAnd's online tracking (<https://osmand.net/docs/user/plugins/trip-recording/>).
  case osmand
  /// Traccar Client (<https://www.traccar.org/osmand/>).
  case traccar
  /// GPSLogger's custom URL (<https://gpslogger.app>).
  case gpslogger

  /// The body of the answer after which the app deletes what it sent.
  package var answer: (contentType: String, body: String) {
    switch self {
    case .owntracks: ("application/json", "[]")
    case .overland: ("application/json", "{\"result\":\"ok\"}")
    case .osmand, .traccar, .gpslogger: ("text/plain; charset=utf-8", "OK")
    }
  }

  /// Reads a message.
  ///
  /// A position that is not valid is skipped, since the app would send the same one for ever if it
  /// were refused.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  /// - Throws: ``MessageError`` if the message is not one of this app; nothing of it was taken.
  /// - Complexity: O(bytes).
  package func read(_ message: PhoneMessage, now: Timestamp) throws(MessageError) -> PhoneReading {
    let latest = Timestamp(
      millisecondsSince1970: now.millisecondsSince1970 &+ Timestamp.millisecondsPerDay)
    return switch self {
    case .owntracks: try OwnTracksMessage.read(message, latest: latest)
    case .overland: try OverlandMessage.read(message, latest: latest)
    case .osmand: try FieldsMessage.read(message, speedUnit: 1, latest: latest)
    case .gpslogger: try FieldsMessage.read(message, speedUnit: 1, latest: latest)
    case .traccar: try TraccarMessage.read(message, latest: latest)
    }
  }
}
