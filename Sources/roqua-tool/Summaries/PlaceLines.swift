import Foundation
import Geocode
import Geodesy
import Roqua

/// Writes the answers of `roqua where --batch` and `--csv`, a line each, as bytes.
///
/// The words of an answer cost several times what the lookup does; neighbors mostly share them, so
/// those of the last answers are kept.
struct PlaceLines {
  /// The forms of answers.
  enum Form: Equatable {
    /// Country code, region, district, city, time zone, sea and quarter, separated by tabs.
    case text
    /// Objects (`Place.json(at:)`).
    case json
    /// The fields of ``PlaceLines/columns``, behind those of a row of a table; on a terminal, the
    /// row's own text passes ``Console/safe(_:)``.
    case csv(separator: UInt8, isForTerminal: Bool)
  }

  /// The columns that a table gets.
  static let columns = [
    "country_code", "country", "region_code", "region", "district", "city", "quarter", "time_zone",
    "sea",
  ]

  /// A line each, ended by LF; the owner empties it.
  private(set) var bytes: [UInt8] = []
  private let geocoder: Geocoder
  private let form: Form
  private let locale: Locale?
  /// The words of answers, each at a place that its key gives.
  private var known = [Words?](repeating: nil, count: Self.capacity)

  /// Answers whose words are kept: some 300 bytes each. A power of two.
  private static let capacity = 1_024

  private struct Key: Hashable {
    let codes: PlaceCodes
    let waters: Waters?

    /// A place among ``PlaceLines/capacity``.
    var place: Int {
      let city = UInt64(UInt32(bitPattern: Int32(truncatingIfNeeded: codes.city?.rawValue ?? -1)))
      let quarter = UInt64(
        UInt32(bitPattern: Int32(truncatingIfNeeded: codes.quarter?.rawValue ?? -1)))
      let zone = UInt64(codes.timeZone?.rawValue ?? 0)
      let hours = UInt64(12 + (waters?.nauticalZone.hoursEast ?? 0))
      let sea = UInt64(waters?.label ?? 0) << 8 | hours
      let mixed = (city ^ quarter << 24 ^ zone << 40 ^ sea << 20) &* 0x9E37_79B9_7F4A_7C15
      return Int(mixed >> 54)  // 10 bits
    }
  }

  /// What lines about the same codes and waters share: all of a line of text; of JSON, what stands
  /// before the distance and after it.
  private struct Words {
    let key: Key
    let start: [UInt8]
    let end: [UInt8]
  }

  init(geocoder: Geocoder, form: Form, locale: Locale? = nil) {
    (self.geocoder, self.form, self.locale) = (geocoder, form, locale)
  }

  /// Forgets what was written.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// A line for what was no position or blank: `null`, an empty one, or empty fields.
  mutating func appendNothing(after text: ArraySlice<UInt8>) {
    append(rowText: text)
    switch form {
    case .text: break
    case .json: bytes += "null".utf8
    case .csv(let separator, _):
      for _ in Self.columns { bytes.append(separator) }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A line as it is.
  mutating func append(_ text: ArraySlice<UInt8>) {
    append(rowText: text)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The text of a row of a table. On a terminal, only tabs between fields stay as they are.
  private mutating func append(rowText text: ArraySlice<UInt8>) {
    guard case .csv(let separator, isForTerminal: true) = form else {
      bytes += text
      return
    }
    let tab = UInt8(ascii: "\t")
    let parts =
      separator == tab ? text.split(separator: tab, omittingEmptySubsequences: false) : [text]
    for (number, part) in parts.enumerated() {
      if number > 0 { bytes.append(tab) }
      bytes += Console.safe(String(decoding: part, as: UTF8.self)).utf8
    }
  }

  /// A line for a position.
  mutating func append(_ coordinate: Coordinate, after text: ArraySlice<UInt8>) {
    let codes = geocoder.codes(at: coordinate)
    let place = learn(Key(codes: codes, waters: geocoder.waters(at: coordinate)))
    append(rowText: text)
    if form == .json {
      bytes += #"{"latitude":"#.utf8
      append(degreesE7: coordinate.latitudeE7)
      bytes += #","longitude":"#.utf8
      append(degreesE7: coordinate.longitudeE7)
      appendStart(of: place)
      if let city = codes.city, let center = geocoder.coordinate(of: city) {
        let meters = Geocoder.distanceMeters(from: coordinate, toCity: center)
        bytes += JSONValue.number(meters).description.utf8
      } else {
        bytes += "null".utf8
      }
      appendEnd(of: place)
    } else {
      appendStart(of: place)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func appendStart(of place: Int) {
    if let words = known[place] { bytes += words.start }
  }

  private mutating func appendEnd(of place: Int) {
    if let words = known[place] { bytes += words.end }
  }

  /// Makes the words of a key known, and returns their place.
  private mutating func learn(_ key: Key) -> Int {
    let slot = key.place
    if let words = known[slot], words.key == key { return slot }
    var place =
      locale.map { geocoder.names(of: key.codes, locale: $0) } ?? geocoder.names(of: key.codes)
    if let waters = key.waters { geocoder.add(waters, to: &place) }
    let (start, end): ([UInt8], [UInt8]) =
      switch form {
      case .text: (Self.row(place), [])
      case .json: Self.json(place)
      case .csv(let separator, _): (Self.fields(place, separator), [])
      }
    known[slot] = Words(key: key, start: start, end: end)
    return slot
  }

  /// The members of the place's object between the coordinate and the distance, and after that.
  private static func json(_ place: Place) -> (start: [UInt8], end: [UInt8]) {
    let members = [
      ("countryCode", place.countryCode), ("countryCodeAlpha3", place.countryCodeAlpha3),
      ("country", place.country), ("continent", place.continent),
      ("regionCode", place.regionCode), ("region", place.region),
      ("regionLocalName", place.regionLocalName), ("district", place.district),
      ("city", place.city), ("localName", place.localName),
    ]
    let after = [("quarter", place.quarter), ("timeZone", place.timeZone), ("sea", place.sea)]
    return (
      Array((text(of: members) + #","cityDistanceMeters":"#).utf8),
      Array((text(of: after) + "}").utf8)
    )
  }

  private static func text(of members: [(name: String, value: String?)]) -> String {
    var text = ""
    for (name, value) in members {
      text += ",\""
      text += name
      text += "\":"
      JSONValue.string(value).write(to: &text)
    }
    return text
  }

  /// Country code, region, district, city, time zone, sea and quarter, with tabs between.
  private static func row(_ place: Place) -> [UInt8] {
    let fields = [
      place.countryCode, place.region, place.district, place.city, place.timeZone, place.sea,
      place.quarter,
    ]
    return Array(fields.map { Console.safe($0 ?? "") }.joined(separator: "\t").utf8)
  }

  /// The fields of ``columns``, each after a separator, quoted where it must be (RFC 4180).
  private static func fields(_ place: Place, _ separator: UInt8) -> [UInt8] {
    let fields = [
      place.countryCode, place.country, place.regionCode, place.region, place.district,
      place.city, place.quarter, place.timeZone, place.sea,
    ]
    var bytes: [UInt8] = []
    for field in fields {
      bytes.append(separator)
      let text = field ?? ""
      let isQuoted = text.utf8.contains { $0 == separator || $0 == 0x22 || $0 < 0x20 }
      bytes += isQuoted ? Array("\"\(text.replacing("\"", with: "\"\""))\"".utf8) : Array(text.utf8)
    }
    return bytes
  }

  /// Degrees in as few digits as say the same, as JSON has all numbers.
  private mutating func append(degreesE7 value: Int32) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    if whole >= 100 { bytes.append(0x30 + UInt8(whole / 100)) }
    if whole >= 10 { bytes.append(0x30 + UInt8(whole / 10 % 10)) }
    bytes.append(0x30 + UInt8(whole % 10))
    guard fraction != 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (rest, place) = (fraction, UInt32(1_000_000))
    while rest != 0 {
      bytes.append(0x30 + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }
}
