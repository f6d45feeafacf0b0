extension SourceFormat {
  /// What files of the format are, in a few words.
  package var summary: String {
    switch self {
    case .gpx: "tracks of most programs and devices"
    case .nmea: "logs of receivers"
    case .fit: "activities of Garmin and other sports watches"
    case .igc: "flight recorders of gliders"
    case .csv: "tables with columns of latitude and longitude"
    }
  }
}
