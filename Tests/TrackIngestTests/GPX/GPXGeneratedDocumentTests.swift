import Foundation
import TestSupport
import Testing

@testable import TrackIngest

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Random well-formed documents, read by the decoder and by a strict XML parser with namespaces.
@Suite struct GPXGeneratedDocumentTests {
  @Test(arguments: Seeds.sample(150))
  func `points of a well-formed document equal those of a strict XML parser`(seed: UInt64) throws {
    var generator = GPXGenerator(seed: seed)
    let text = generator.document()
    let oracle = GPXOracle()
    let parser = XMLParser(data: Data(text.utf8))
    parser.shouldProcessNamespaces = true
    parser.delegate = oracle
    try #require(parser.parse(), "not well formed: \(String(describing: parser.parserError))")

    let found = expectSameInAnyPieces(Array(text.utf8))
    #expect(found.error == nil)
    #expect(found.codes.subtracting([.leftOut, .timeBackwards, .unreadable]).isEmpty)
    #expect(found.tracks == oracle.tracks)
    #expect(found.segments == oracle.segments)
    #expect(found.routes == oracle.routes)
    #expect(found.waypoints == oracle.waypoints)
    #expect(found.routePoints == oracle.routePoints)
    #expect(found.skips == oracle.invalid)
    let points = found.fixes.map { fix in
      GPXOracle.Point(
        latitudeE7: fix.coordinate.latitudeE7, longitudeE7: fix.coordinate.longitudeE7,
        time: fix.time?.millisecondsSince1970, elevation: fix.elevationMeters,
        accuracy: fix.horizontalAccuracyMeters)
    }
    #expect(zip(points, oracle.points).first { $0 != $1 } == nil)
    #expect(points.count == oracle.points.count)
  }
}

/// Collects the points of a document in a slow and simple way, with Foundation's strings, decimals
/// and formatters.
private final class GPXOracle: NSObject, XMLParserDelegate {
  struct Point: Equatable {
    static func == (left: Point, right: Point) -> Bool {
      left.latitudeE7 == right.latitudeE7 && left.longitudeE7 == right.longitudeE7
        && left.time == right.time
        && isNear(left.elevation, right.elevation) && isNear(left.accuracy, right.accuracy)
    }

    /// Within two units in the last place, as `DecimalText.double` guarantees.
    private static func isNear(_ left: Double?, _ right: Double?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return abs(left - right) <= 2 * right.ulp
    }

    var latitudeE7: Int32
    var longitudeE7: Int32
    var time: Int64?
    var elevation: Double?
    var accuracy: Double?
  }

  var points: [Point] = []
  var tracks = 0
  var segments = 0
  var routes = 0
  var waypoints = 0
  var routePoints = 0
  var invalid = 0

  private var path: [String] = []
  private var attributes: [String: String] = [:]
  private var values: [String: String] = [:]
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    let isGPX = namespaceURI?.hasPrefix("http://www.topografix.com/GPX/1/") ?? true
    path.append(isGPX ? name : "foreign:" + name)
    text = ""
    switch path.joined(separator: "/") {
    case "gpx/trk": tracks += 1
    case "gpx/trk/trkseg": segments += 1
    case "gpx/rte": routes += 1
    case "gpx/wpt": waypoints += 1
    case "gpx/rte/rtept": routePoints += 1
    case "gpx/trk/trkseg/trkpt":
      self.attributes = attributes
      values = [:]
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let place = path.joined(separator: "/")
    let point = "gpx/trk/trkseg/trkpt/"
    if place.hasPrefix(point) {
      let below = place.dropFirst(point.count)
      if ["time", "ele", "hdop"].contains(String(below)) { values[String(below)] = text }
      if below.hasSuffix("accuracy") { values["accuracy"] = text }
    } else if place == "gpx/trk/trkseg/trkpt" {
      endPoint()
    }
    path.removeLast()
    text = ""
  }

  private func endPoint() {
    guard let latitude = degrees(attributes["lat"], 90),
      let longitude = degrees(attributes["lon"], 180)
    else {
      invalid += 1
      return
    }
    points.append(
      Point(
        latitudeE7: latitude, longitudeE7: longitude == 1_800_000_000 ? -longitude : longitude,
        time: values["time"].flatMap(milliseconds), elevation: values["ele"].flatMap(number),
        accuracy: values["accuracy"].flatMap(number)
          ?? values["hdop"].flatMap(number).map { $0 * 5 }))
  }

  private func number(_ text: String) -> Double? {
    Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func degrees(_ text: String?, _ limit: Decimal) -> Int32? {
    guard let text, number(text) != nil,
      let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      abs(decimal) <= limit
    else { return nil }
    var scaled = decimal * 10_000_000
    var rounded = Decimal()
    NSDecimalRound(&rounded, &scaled, 0, .plain)
    return Int32(truncating: rounded as NSDecimalNumber)
  }

  private func milliseconds(_ text: String) -> Int64? {
    let formatter = ISO8601DateFormatter()
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if trimmed.contains(".") { formatter.formatOptions.insert(.withFractionalSeconds) }
    return formatter.date(from: trimmed).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }
}
