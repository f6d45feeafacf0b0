import GeoStore
import Geodesy

/// Texts on maps.
enum MapWording {
  /// Credits of the data behind a map, which decide its areas, names and shares. README.md and
  /// `data/README.md` say which ones must be shown.
  static let dataCredits =
    "© OpenStreetMap contributors (ODbL), GeoNames (CC BY 4.0), Natural Earth"

  /// Credits that a map must show.
  static let credits = "\(dataCredits). Map by Roqua."

  /// A number with commas.
  static func count(_ value: Int) -> String { GroupedNumber.text(value) }

  /// The title of a map of some part of the store.
  static func title(of query: StatisticsQuery, in names: PlaceTranslator) -> String {
    var title = query.place.map { "\(names.label($0)) explored" } ?? "My explored world"
    guard let times = query.times else { return title }
    let all = Timestamp.writable
    func day(_ time: Timestamp) -> String { String(time.iso8601.prefix(10)) }
    if times.lowerBound > all.lowerBound { title += ", from \(day(times.lowerBound))" }
    if times.upperBound < all.upperBound { title += " to \(day(times.upperBound))" }
    return title
  }
}
