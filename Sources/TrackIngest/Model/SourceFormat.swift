/// A supported track format. Raw values are the names of the JSON report.
public enum SourceFormat: String, CaseIterable, Sendable {
  /// GPS Exchange Format, any version.
  case gpx
  /// NMEA 0183 sentences.
  case nmea
}
