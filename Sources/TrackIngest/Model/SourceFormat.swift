/// A supported format of tracks or explored areas. Raw values are the names in the JSON report.
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
  /// Garmin's Training Center XML.
  case tcx
  /// Keyhole Markup Language, alone or in a KMZ archive.
  case kml
  /// Garmin's Flexible and Interoperable Data Transfer.
  case fit
  /// International Gliding Commission flight records.
  case igc
  /// Text with columns of latitude and longitude.
  case csv
  /// Google's location history: records, semantic history, the timeline of a phone.
  case googleTimeline
  /// OwnTracks recordings.
  case owntracks
  /// GeoJSON with lines or points.
  case geojson
  /// The locations of a Polarsteps trip.
  case polarsteps
  /// JSON messages of gpsd, one on each line.
  case gpsd
  /// Tiles of Fog of World, in its Sync folder or a snapshot. They have explored pixels and no
  /// fixes.
  case fogOfWorld
}
