extension UnsupportedKind {
  /// What files of the kind are, in a few words.
  package var summary: String {
    switch self {
    case .tcx: "Garmin Training Center"
    case .kml: "Google Earth and My Maps"
    case .kmz: "compressed KML"
    case .geojson: "points and lines"
    case .googleTimeline: "location history of Google Maps"
    case .owntracks: "OwnTracks recordings"
    case .gpsd: "reports of the GPS daemon"
    case .polarsteps: "locations of a trip"
    case .fogOfWorld: "explored tiles"
    case .mldx: "MemoLanes archives"
    }
  }
}
