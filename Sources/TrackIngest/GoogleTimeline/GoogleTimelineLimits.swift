/// The limits of what is remembered of a location history at once.
enum GoogleTimelineLimits {
  /// The number of points of a path that wait for the start of its time span. Spans of Google's
  /// phones are two hours long and have a point a minute at most; the start comes before the path.
  static let waitingPoints = 4_096
  /// The number of visits that wait for the paths of the file: 4 MB, or ten years of nine visits a
  /// day. When they are full, they are compared with the paths so far.
  static let waitingVisits = 32_768
}
