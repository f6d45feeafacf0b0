extension SourceFormat {
  /// What files of the format are, in a few words.
  package var summary: String {
    switch self {
    case .gpx: "tracks of most programs and devices"
    case .nmea: "logs of receivers"
    case .tcx: "Garmin Training Center"
    case .kml: "Google Earth and My Maps"
    case .fit: "activities of Garmin and other sports watches"
    case .igc: "flight recorders of gliders"
    case .csv: "tables with columns of latitude and longitude"
    case .googleTimeline: "location history from Takeout, Android and iOS (JSON)"
    case .owntracks: "recordings and messages (.rec, JSON)"
    case .geojson: "lines, and points with a time (JSON)"
    case .polarsteps: "locations of a trip (JSON)"
    case .gpsd: "logs of the GPS daemon (gpspipe -w)"
    case .fogOfWorld: "explored areas (Sync folder, snapshots)"
    }
  }
}
