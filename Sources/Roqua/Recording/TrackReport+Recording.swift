import GeoStore
import TrackIngest

extension TrackReport {
  /// The format of a recording as listed by the store.
  static let recordingFormat = "live"

  /// The report of a recording, as the store keeps it.
  func recordingJSON(name: String, identifier: String) -> JSONValue {
    [
      "path": .string(name), "format": .string(Self.recordingFormat), "status": "recorded",
      "sha256": .string(identifier), "bytes": .integer(0), "points": .integer(points),
      "kept": .integer(kept), "flights": .integer(flights),
      "flightPoints": .integer(flightPoints),
      "dropped": .object(
        DropReason.allCases.map { .init($0.rawValue, .integer(dropped[$0])) }),
      "firstTime": firstTime.map { .string($0.iso8601) } ?? .null,
      "lastTime": lastTime.map { .string($0.iso8601) } ?? .null,
    ]
  }
}
