extension SourceFormat {
  /// The format of a file by its first bytes, of which 65 536 are enough; nil if it is not a
  /// supported track. The name of the file does not matter.
  package static func detect(prefix: UnsafeRawBufferPointer) -> SourceFormat? {
    guard case .track(let format) = ContentKind(prefix: prefix) else { return nil }
    return format
  }

  /// The format that a file's name claims; nil if it claims none.
  ///
  /// `.gpx` is GPX, `.fit` FIT, `.igc` IGC, `.tcx` TCX; `.nmea`, `.nmea0183` and `.nme` are NMEA;
  /// `.kml` and `.kmz` are KML; `.fwss` and the names of its tiles are Fog of World. Case, path,
  /// and dots and blanks at the end do not matter. A file with such a name is imported or refused,
  /// never silently ignored. Extensions that logs share with other files (`.log`, `.txt`, `.ubx`)
  /// claim nothing: the contents decide.
  package init?(fileName: String) {
    if FogOfWorldName(path: fileName)?.isCertain == true {
      self = .fogOfWorld
      return
    }
    let base = fileName.split(separator: "/").last ?? ""
    let trimmed = base.reversed().drop { $0 == "." || $0 == " " }.reversed()
    guard let dot = trimmed.lastIndex(of: ".") else { return nil }
    let claimed = String(trimmed[trimmed.index(after: dot)...]).lowercased()
    let format = Self.allCases.first { $0.fileExtensions.contains(claimed) }
    guard let format else { return nil }
    self = format
  }

  /// The extensions of file names that claim the format, in lower case and without the dot.
  package var fileExtensions: [String] {
    switch self {
    case .gpx: ["gpx"]
    case .nmea: ["nmea", "nmea0183", "nme"]
    case .tcx: ["tcx"]
    case .kml: ["kml", "kmz"]
    case .fit, .igc: [rawValue]
    // Most tables hold something else.
    case .csv: []
    // Other files share their extensions, and a `.geojson` may hold areas.
    case .googleTimeline, .owntracks, .geojson, .polarsteps, .gpsd: []
    // A snapshot, which is an archive.
    case .fogOfWorld: ["fwss"]
    }
  }

  /// Whether files of the format are XML.
  var isXML: Bool {
    switch self {
    case .gpx, .tcx, .kml: true
    case .nmea, .fit, .igc, .csv, .googleTimeline, .owntracks, .geojson, .polarsteps, .gpsd,
      .fogOfWorld:
      false
    }
  }

  /// Its name for a person: `GPX`, `NMEA 0183`.
  package var name: String {
    switch self {
    case .gpx: "GPX"
    case .nmea: "NMEA 0183"
    case .tcx, .kml, .fit, .igc, .csv: rawValue.uppercased()
    case .googleTimeline: "Google Timeline"
    case .owntracks: "OwnTracks"
    case .geojson: "GeoJSON"
    case .polarsteps: "Polarsteps"
    case .gpsd: "gpsd"
    case .fogOfWorld: "Fog of World"
    }
  }
}
