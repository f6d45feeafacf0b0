import Foundation
import Geocode
import Geodesy
import Roqua

/// Writes the answers of `roqua at --batch`, a line each, as bytes.
///
/// The names of places cost more than the position; those of the last answers are kept.
struct PositionLines {
  /// Lines, each ended by LF; the owner empties it.
  private(set) var bytes: [UInt8] = []
  private let geocoder: Geocoder
  private let isJSON: Bool
  private let locale: Locale?
  private var known: [Key: [UInt8]] = [:]
  /// The position of the last answer, and its words.
  private var last: (coordinate: Coordinate, words: [UInt8])?

  /// Answers whose words are kept: about 300 bytes each.
  private static let capacity = 4_096

  private struct Key: Hashable {
    let codes: PlaceCodes
    let waters: Waters?
  }

  /// - Parameter isJSON: whether lines are objects (``Roqua/PositionEstimate/json(at:_:_:)``); else
  ///   latitude, longitude, uncertainty, certainty, seconds from the nearest fix, and the place as
  ///   `roqua where --batch` has it, with tabs between.
  init(geocoder: Geocoder, isJSON: Bool, locale: Locale? = nil) {
    (self.geocoder, self.isJSON, self.locale) = (geocoder, isJSON, locale)
  }

  /// Forgets what was written.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// A line for what was no time or blank: `null`, or an empty one.
  mutating func appendNothing() {
    if isJSON { bytes += "null".utf8 }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A line for a time, and the position then.
  ///
  /// - Parameter local: how the time was found, if it is a local one.
  mutating func append(
    _ time: Timestamp, _ estimate: PositionEstimate?, _ local: LocalMoment? = nil
  ) {
    if isJSON {
      if let estimate {
        appendJSON(time, estimate)
      } else {
        bytes += JSONValue.object(PositionEstimate.json(at: time, nil, nil)).description.utf8
      }
      if let note = local?.json {
        // Before the end of the object.
        bytes.removeLast()
        bytes += #","localTime":\#(note.description)}"#.utf8
      }
    } else if let estimate {
      appendText(estimate)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func appendText(_ estimate: PositionEstimate) {
    append(estimate.coordinate.latitudeE7, digits: 7)
    bytes.append(UInt8(ascii: "\t"))
    append(estimate.coordinate.longitudeE7, digits: 7)
    bytes.append(UInt8(ascii: "\t"))
    append(Int64((estimate.uncertaintyDecimeters * 10).rounded()), digits: 1)
    bytes.append(UInt8(ascii: "\t"))
    bytes += estimate.certainty.utf8Name
    bytes.append(UInt8(ascii: "\t"))
    append(Int64((estimate.secondsToNearestFix * 1_000).rounded()), digits: 3)
    bytes.append(UInt8(ascii: "\t"))
    bytes += words(at: estimate.coordinate)
  }

  private mutating func appendJSON(_ time: Timestamp, _ estimate: PositionEstimate) {
    bytes += #"{"time":""#.utf8
    append(time)
    bytes += #"","latitude":"#.utf8
    append(estimate.coordinate.latitudeE7, digits: 7)
    bytes += #","longitude":"#.utf8
    append(estimate.coordinate.longitudeE7, digits: 7)
    bytes += #","uncertaintyMeters":"#.utf8
    append(Int64((estimate.uncertaintyDecimeters * 10).rounded()), digits: 1)
    bytes += #","certainty":""#.utf8
    bytes += estimate.certainty.utf8Name
    bytes += #"","secondsFromFix":"#.utf8
    append(Int64((estimate.secondsToNearestFix * 1_000).rounded()), digits: 3)
    bytes += #","previous":"#.utf8
    append(estimate.previous)
    bytes += #","next":"#.utf8
    append(estimate.next)
    bytes += words(at: estimate.coordinate)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(_ known: PositionEstimate.KnownPosition?) {
    guard let known else {
      bytes += "null".utf8
      return
    }
    bytes += #"{"time":""#.utf8
    append(known.time)
    bytes += #"","latitude":"#.utf8
    append(known.coordinate.latitudeE7, digits: 7)
    bytes += #","longitude":"#.utf8
    append(known.coordinate.longitudeE7, digits: 7)
    bytes.append(UInt8(ascii: "}"))
  }

  /// The words of a place: the rest of a line.
  private mutating func words(at coordinate: Coordinate) -> [UInt8] {
    if let last, last.coordinate == coordinate { return last.words }
    let key = Key(codes: geocoder.codes(at: coordinate), waters: geocoder.waters(at: coordinate))
    let words = known[key] ?? newWords(of: key)
    last = (coordinate, words)
    return words
  }

  private mutating func newWords(of key: Key) -> [UInt8] {
    var place =
      locale.map { geocoder.names(of: key.codes, locale: $0) } ?? geocoder.names(of: key.codes)
    if let waters = key.waters { geocoder.add(waters, to: &place) }
    let words =
      isJSON
      ? PositionEstimate.json(of: place).map { #","\#($0.name)":\#($0.value)"# }.joined()
      : [
        place.countryCode, place.region, place.district, place.city, place.timeZone, place.sea,
        place.quarter,
      ].map { Console.safe($0 ?? "") }.joined(separator: "\t")
    if known.count == Self.capacity { known.removeAll(keepingCapacity: true) }
    known[key] = Array(words.utf8)
    return Array(words.utf8)
  }

  /// A time in ISO 8601.
  private mutating func append(_ time: Timestamp) {
    guard Timestamp.writable.contains(time) else {
      bytes += time.iso8601.utf8
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Timestamp.maximumISO8601Bytes) {
      // Sound: the buffer has room for the longest text, and only the bytes written are read.
      let count = time.writeISO8601(to: $0)
      bytes.append(contentsOf: $0[..<count])
    }
  }

  /// An integer divided by a power of ten, in as few digits as say the same, as JSON has all
  /// numbers.
  private mutating func append(_ value: some BinaryInteger, digits: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let unit = Self.powers[digits]
    let (whole, fraction) = UInt64(value.magnitude).quotientAndRemainder(dividingBy: unit)
    append(whole)
    guard fraction != 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (rest, place) = (fraction, unit / 10)
    while rest != 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
      rest %= place
      place /= 10
    }
  }

  private static let powers: [UInt64] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]

  private mutating func append(_ value: UInt64) {
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}

extension PositionCertainty {
  /// ``name`` in UTF-8.
  fileprivate var utf8Name: [UInt8] { Self.names[Int(rawValue)] }

  private static let names = allCases.map { Array($0.name.utf8) }
}
