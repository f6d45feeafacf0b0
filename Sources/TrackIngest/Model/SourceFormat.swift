/// A supported track format. Raw values are the names in the JSON report.
///
/// ```swift
/// var reader = TrackReader(now: now)
/// bytes.withUnsafeBytes { reader.read($0) }
/// if reader.finish().format == .nmea { print("an NMEA log") }
/// ```
public enum SourceFormat: String, CaseIterable, Sendable {
  /// GPS Exchange Format, any version.
  case gpx
  /// NMEA 0183 sentences.
  case nmea
  /// Garmin's Flexible and Interoperable Data Transfer.
  case fit
  /// International Gliding Commission flight records.
  case igc
  /// Text with columns of latitude and longitude.
  case csv
}
