/// Detects the kind of a JSON text, or of JSON lines, by the keys in its first bytes, which may be
/// cut anywhere.
struct JSONSniffer {
  /// Keys of objects, however deep.
  private var keys: Set<String> = []
  /// The index of the quotation mark at which each of them, and each of the types, first occurs.
  private var places: [String: Int] = [:]
  /// Keys of the outermost object, or of the objects in the outermost array.
  private var outerKeys: Set<String> = []
  /// Texts that are values of `type`, `_type` and `class`.
  private var types: Set<String> = []
  /// Whether one object has both coordinates and a type of points or lines.
  private var hasShape = false
  private let isArray: Bool
  /// Whether the text may go on after its first bytes.
  private let isLong: Bool

  /// Keys that are looked at: the kinds show at the beginning.
  private static let keyLimit = 4_096
  /// GeoJSON's types of points and lines.
  private static let shapes: Set = ["Point", "MultiPoint", "LineString", "MultiLineString"]

  /// What is known of an object so far: its keys may be in any order.
  private struct Geometry {
    var isShape = false
    var hasCoordinates = false
  }

  /// The keys of a text that begins with a brace or a bracket.
  init(_ text: ArraySlice<UInt8>) {
    isArray = text.first == UInt8(ascii: "[")
    // Half of the prefix: it may be UTF-16.
    isLong = text.count > ContentKind.prefixLength / 2 - 4_096
    let outerDepth = isArray ? 2 : 1
    var depth = 0
    var objects: [Geometry] = []
    var key = ""
    var count = 0
    var at = text.startIndex
    while at < text.endIndex, count < Self.keyLimit {
      switch text[at] {
      case UInt8(ascii: "{"):
        depth += 1
        objects.append(Geometry())
      case UInt8(ascii: "}"):
        depth -= 1
        _ = objects.popLast()
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        guard let end = Self.end(ofString: text, from: at + 1) else { return }
        let start = at
        let string = String(decoding: text[at + 1..<min(end, at + 41)], as: UTF8.self)
        at = end
        var next = end + 1
        while next < text.endIndex, DecimalText.isSpace(text[next]) { next += 1 }
        if next < text.endIndex, text[next] == UInt8(ascii: ":") {
          key = string
          count += 1
          if keys.insert(string).inserted, places[string] == nil { places[string] = start }
          if depth == outerDepth { outerKeys.insert(string) }
          if key == "coordinates" { note(in: &objects) { $0.hasCoordinates = true } }
        } else if key == "type" || key == "_type" || key == "class" {
          if types.insert(string).inserted, places[string] == nil { places[string] = start }
          if key == "type", Self.shapes.contains(string) {
            note(in: &objects) { $0.isShape = true }
          }
        }
      default: break
      }
      at += 1
    }
  }

  /// Changes what is known of the innermost object.
  private mutating func note(in objects: inout [Geometry], _ change: (inout Geometry) -> Void) {
    guard !objects.isEmpty else { return }
    change(&objects[objects.count - 1])
    if let last = objects.last, last.isShape, last.hasCoordinates { hasShape = true }
  }

  /// Types of OwnTracks messages.
  private static let messages: Set = [
    "location", "encrypted", "transition", "waypoint", "waypoints", "lwt", "card", "steps",
    "status", "beacon",
  ]

  /// The kind, or nil for JSON of no known one.
  var kind: ContentKind? {
    if !outerKeys.isDisjoint(with: ["timelineObjects", "semanticSegments", "timelineEdits"])
      || !keys.isDisjoint(with: ["latitudeE7", "rawSignals"])
      || (isArray && isSpan)
    {
      return .track(.googleTimeline)
    }
    if keys.contains("_type"), !types.isDisjoint(with: Self.messages) { return .track(.owntracks) }
    if !isArray, outerKeys.contains("class"),
      types.contains("TPV") || (types.contains("VERSION") && outerKeys.contains("proto_major"))
    {
      return .track(.gpsd)
    }
    if outerKeys.contains("type"), hasShape || mayHaveShapeLater { return .track(.geojson) }
    if outerKeys.contains("locations"), keys.isSuperset(of: ["lat", "lon", "time"]) {
      return .track(.polarsteps)
    }
    if outerKeys.isSuperset(of: ["createdTime", "modifiedTime", "deviceSettings"]) {
      return .googleSettings
    }
    return nil
  }

  /// The first key or type that shows a kind, and the index of its quotation mark.
  func mark(of kind: ContentKind) -> (name: String, index: Int)? {
    let names: [String] =
      switch kind {
      case .track(.googleTimeline):
        [
          "timelineObjects", "semanticSegments", "timelineEdits", "latitudeE7", "rawSignals",
          "timelinePath", "visit", "activity",
        ]
      case .track(.owntracks): ["_type"]
      case .track(.gpsd): ["TPV", "VERSION"]
      case .track(.geojson): Self.shapes.sorted() + ["Feature", "FeatureCollection"]
      case .track(.polarsteps): ["locations"]
      case .foreign: ["deviceSettings"]
      default: []
      }
    return names.lazy.compactMap { name in places[name].map { (name, $0) } }
      .min { $0.index < $1.index }
  }

  /// Whether the text is GeoJSON and all of its beginning is properties and collections.
  private var mayHaveShapeLater: Bool {
    isLong && types.isDisjoint(with: ["Polygon", "MultiPolygon"])
      && !types.isDisjoint(with: ["Feature", "FeatureCollection", "GeometryCollection"])
  }

  /// Whether the objects of an array are time spans of a phone's timeline.
  private var isSpan: Bool {
    outerKeys.contains("startTime")
      && (!outerKeys.isDisjoint(with: ["visit", "timelinePath"])
        || outerKeys.isSuperset(of: ["endTime", "activity"]))
  }

  /// The quote that ends a string, or nil where the text is cut in it.
  private static func end(ofString text: ArraySlice<UInt8>, from start: Int) -> Int? {
    var at = start
    while at < text.endIndex {
      if text[at] == UInt8(ascii: "\"") { return at }
      at += text[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}
