extension UnsupportedKind {
  /// What files of the kind are, in a few words.
  package var summary: String {
    switch self {
    case .tcx: "Garmin Training Center"
    case .kml: "Google Earth and My Maps"
    case .kmz: "compressed KML"
    case .gpsd: "reports of the GPS daemon"
    case .fogOfWorld: "explored tiles"
    case .mldx: "MemoLanes archives"
    }
  }
}
