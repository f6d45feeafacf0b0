extension UnsupportedKind {
  /// What files of the kind are, in a few words.
  package var summary: String {
    switch self {
    case .fit: "activities of Garmin and other sports watches"
    case .tcx: "Garmin Training Center"
    case .kml: "Google Earth and My Maps"
    case .kmz: "compressed KML"
    case .igc: "flight recorders of gliders"
    case .csv: "tables with columns of latitude and longitude"
    case .gpsd: "reports of the GPS daemon"
    case .fogOfWorld: "explored tiles"
    case .mldx: "MemoLanes archives"
    }
  }
}
