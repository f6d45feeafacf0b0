import Foundation
import Geocode
import Geodesy
import Roqua

/// Writes the answers of `roqua where --batch`, a line each, as bytes.
///
/// Its words cost several times what the lookup does; neighbors mostly share them, so those of the
/// last answers are kept.
struct PlaceLines {
  /// A line each, ended by LF; the owner empties it.
  private(set) var bytes: [UInt8] = []
  private let geocoder: Geocoder
  private let isJSON: Bool
  private let locale: Locale?
  private var known: [Key: Words] = [:]

  /// Answers whose words are kept: some 300 bytes each.
  private static let capacity = 4_096

  private struct Key: Hashable {
    let codes: PlaceCodes
    let waters: Waters?
  }

  /// What lines about the same codes and waters share: all of a line of text; of JSON, what stands
  /// before the distance and after it.
  private struct Words {
    var start: [UInt8]
    var end: [UInt8]
  }

  /// - Parameter isJSON: whether lines are objects (``Geocode/Place/json(at:)``), else code,
  ///   region, district, city, time zone, sea and quarter with tabs between.
  init(geocoder: Geocoder, isJSON: Bool, locale: Locale? = nil) {
    (self.geocoder, self.isJSON, self.locale) = (geocoder, isJSON, locale)
  }

  /// Forgets what was written.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// A line for what was no position or blank: `null`, or an empty one.
  mutating func appendNothing() {
    if isJSON { bytes += "null".utf8 }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A line for a position.
  mutating func append(_ coordinate: Coordinate) {
    let codes = geocoder.codes(at: coordinate)
    let words = words(of: Key(codes: codes, waters: geocoder.waters(at: coordinate)))
    if isJSON {
      bytes += #"{"latitude":"#.utf8
      append(degreesE7: coordinate.latitudeE7)
      bytes += #","longitude":"#.utf8
      append(degreesE7: coordinate.longitudeE7)
      bytes += words.start
      if let city = codes.city, let center = geocoder.coordinate(of: city) {
        let meters = Geocoder.distanceMeters(from: coordinate, toCity: center)
        bytes += JSONValue.number(meters).description.utf8
      } else {
        bytes += "null".utf8
      }
    } else {
      bytes += words.start
    }
    bytes += words.end
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func words(of key: Key) -> Words {
    if let words = known[key] { return words }
    var place =
      locale.map { geocoder.names(of: key.codes, locale: $0) } ?? geocoder.names(of: key.codes)
    if let waters = key.waters { geocoder.add(waters, to: &place) }
    let words = isJSON ? Self.json(place) : Words(start: Self.row(place), end: [])
    if known.count == Self.capacity { known.removeAll(keepingCapacity: true) }
    known[key] = words
    return words
  }

  /// The members of the place's object between the coordinate and the distance, and after that.
  private static func json(_ place: Place) -> Words {
    let members = [
      ("countryCode", place.countryCode), ("countryCodeAlpha3", place.countryCodeAlpha3),
      ("country", place.country), ("continent", place.continent),
      ("regionCode", place.regionCode), ("region", place.region),
      ("regionLocalName", place.regionLocalName), ("district", place.district),
      ("city", place.city), ("localName", place.localName),
    ]
    let start = members.map { #","\#($0)":"# + JSONValue.string($1).description }.joined()
    let after = [("quarter", place.quarter), ("timeZone", place.timeZone), ("sea", place.sea)]
    return Words(
      start: Array((start + #","cityDistanceMeters":"#).utf8),
      end: Array(
        (after.map { #","\#($0)":"# + JSONValue.string($1).description }.joined() + "}").utf8))
  }

  /// Country code, region, district, city, time zone, sea and quarter, with tabs between.
  private static func row(_ place: Place) -> [UInt8] {
    let fields = [
      place.countryCode, place.region, place.district, place.city, place.timeZone, place.sea,
      place.quarter,
    ]
    return Array(fields.map { Console.safe($0 ?? "") }.joined(separator: "\t").utf8)
  }

  /// Degrees in as few digits as say the same, as JSON has all numbers.
  private mutating func append(degreesE7 value: Int32) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    bytes += String(whole).utf8
    guard fraction != 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (rest, place) = (fraction, UInt32(1_000_000))
    while rest != 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }
}
