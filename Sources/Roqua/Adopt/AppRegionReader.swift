import GeoStore
import Geodesy
import TrackIngest

/// Reads the rows of the Roqua app: takes the values that are certain and keeps the original row
/// alongside.
struct AppRegionReader {
  let now: Timestamp

  /// The valid radii of a region, in meters.
  private static let radii = 1.0...10_000.0
  /// The plausible number of visits to a region: at most one each half hour for fifty years.
  private static let visitCounts = 1.0...1_000_000.0

  /// The region of a row, and what is wrong with it; nil if the row has no position.
  func region(_ row: AppRow) -> (region: SourceRegion?, problems: [String]) {
    var problems: [String] = []
    guard let center = Self.coordinate(row["latitude"].number, row["longitude"].number) else {
      return (nil, ["has no valid position"])
    }
    var region = SourceRegion(center: center, original: row.original)
    region.radiusMeters = within(Self.radii, row["radius"], "radius", &problems)
    region.visitCount = within(Self.visitCounts, row["visit_count"], "visit_count", &problems) ?? 1
    var start = time(row["timestamp_start"], "timestamp_start", &problems)
    var end = time(row["timestamp_end"], "timestamp_end", &problems)
    if let first = start, let last = end, last < first {
      problems.append("timestamp_end is before timestamp_start; they were swapped")
      (start, end) = (last, first)
    }
    (region.start, region.end) = (start ?? end, end ?? start)
    region.place = PlaceNames(
      countryCode: row["country_code"].text?.uppercased(), country: row["country"].text,
      district: row["district"].text, city: row["city"].text)
    region.accuracyMeters = row["accuracy"].number.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    (region.createdAt, region.updatedAt) = (row["created_at"].text, row["updated_at"].text)
    return (region, problems)
  }

  /// A coordinate in range, or nil. Longitudes do not wrap: 190° is a mistake.
  static func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
    guard let latitude, let longitude, abs(longitude) <= 180 else { return nil }
    return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private func within(
    _ range: ClosedRange<Double>, _ value: StoredValue, _ name: String, _ problems: inout [String]
  ) -> Int? {
    guard let number = value.number else { return nil }
    guard range.contains(number) else {
      problems.append("\(name) cannot be \(number); it was ignored")
      return nil
    }
    return Int(number.rounded())
  }

  /// A time, read from a text in any usual form or from a number of seconds or milliseconds since
  /// 1970.
  private func time(_ value: StoredValue, _ name: String, _ problems: inout [String]) -> Timestamp?
  {
    let time: Timestamp?
    switch value {
    case .null: return nil
    case .text(let text) where text.isEmpty: return nil
    case .text(let text):
      time = Timestamp(looseText: text) ?? value.number.flatMap(Self.time(number:))
    case .integer, .real: time = value.number.flatMap(Self.time(number:))
    }
    // As for fixes: a time before 1970 or more than a day ahead is impossible.
    let latest = now.millisecondsSince1970 + Timestamp.millisecondsPerDay
    if let time, (0...latest).contains(time.millisecondsSince1970) { return time }
    problems.append("\(name) is not a possible time; it was ignored")
    return nil
  }

  /// 100 000 000 000 seconds since 1970 are the year 5138, so a larger number counts milliseconds.
  private static func time(number: Double) -> Timestamp? {
    let milliseconds = abs(number) >= 1e11 ? number : number * 1_000
    guard milliseconds.isFinite, abs(milliseconds) < 1e15 else { return nil }
    return Timestamp(millisecondsSince1970: Int64(milliseconds.rounded()))
  }
}
