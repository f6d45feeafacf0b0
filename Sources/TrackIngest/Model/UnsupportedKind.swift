/// A kind of file that is known to hold tracks, or explored areas, and that cannot be read yet.
/// Raw values are the names of the JSON report.
///
/// ```swift
/// let report = try await explorer.importTracks(at: tracks)
/// for (kind, count) in report.unsupported { print("\(count) × \(kind.name): not read") }
/// ```
public enum UnsupportedKind: String, CaseIterable, Sendable {
  /// Garmin's Training Center XML.
  case tcx
  /// Keyhole Markup Language.
  case kml
  /// KML in a zip archive.
  case kmz
  /// GeoJSON with points or lines.
  case geojson
  /// Google's location history: records, semantic history, the timeline of a phone.
  case googleTimeline
  /// OwnTracks recordings.
  case owntracks
  /// JSON reports of gpsd.
  case gpsd
  /// The locations of a Polarsteps trip.
  case polarsteps
  /// Explored tiles of Fog of World.
  case fogOfWorld
  /// An archive of MemoLanes.
  case mldx

  /// Its name before `file`: `FIT`, `Google Timeline`.
  public var name: String {
    switch self {
    case .tcx, .kml, .kmz: rawValue.uppercased()
    case .geojson: "GeoJSON"
    case .googleTimeline: "Google Timeline"
    case .owntracks: "OwnTracks"
    case .gpsd: "gpsd JSON"
    case .polarsteps: "Polarsteps"
    case .fogOfWorld: "Fog of World"
    case .mldx: "MemoLanes"
    }
  }

  /// `a KML file`, `an OwnTracks file`.
  var article: String { self == .owntracks ? "an" : "a" }

  /// What a file's name says of it, for contents that say nothing; nil if it claims none of these
  /// kinds. Extensions that other files share (`.json`, `.csv`, `.rec`) claim nothing.
  package init?(fileName: String) {
    let base = fileName.split { $0 == "/" || $0 == "\\" }.last ?? ""
    guard !base.hasPrefix("._"), let dot = base.lastIndex(of: ".") else { return nil }
    let claimed = base[base.index(after: dot)...].lowercased()
    guard let kind = Self.allCases.first(where: { $0.fileExtension == claimed }) else { return nil }
    self = kind
  }

  /// The extension of file names that claim the kind, in lower case and without the dot; nil if
  /// there is none of its own.
  package var fileExtension: String? {
    switch self {
    case .tcx, .kml, .kmz, .mldx: rawValue
    case .fogOfWorld: "fwss"
    case .geojson, .googleTimeline, .owntracks, .gpsd, .polarsteps: nil
    }
  }

  /// What the members of a zip archive make it; nil for an archive of anything.
  package init?(archiveMembers names: Set<String>) {
    if names.contains("doc.kml") {
      self = .kmz
    } else if names.contains("metadata.xxm") || names.contains("metadata.mldm") {
      self = .mldx
    } else {
      return nil
    }
  }
}
