/// Detects the kind of a JSON text, or of JSON lines, by the keys in its first bytes, which may be
/// cut anywhere.
struct JSONSniffer {
  /// Keys of objects, however deep.
  private var keys: Set<String> = []
  /// Keys of the outermost object, or of the objects in the outermost array.
  private var outerKeys: Set<String> = []
  /// Texts that are values of `type`, `_type` and `class`.
  private var types: Set<String> = []
  private let isArray: Bool

  /// Keys that are looked at: the kinds show at the beginning.
  private static let keyLimit = 4_096

  /// The keys of a text that begins with a brace or a bracket.
  init(_ text: ArraySlice<UInt8>) {
    isArray = text.first == UInt8(ascii: "[")
    let outerDepth = isArray ? 2 : 1
    var depth = 0
    var key = ""
    var count = 0
    var at = text.startIndex
    while at < text.endIndex, count < Self.keyLimit {
      switch text[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        guard let end = Self.end(ofString: text, from: at + 1) else { return }
        let string = String(decoding: text[at + 1..<min(end, at + 41)], as: UTF8.self)
        at = end
        var next = end + 1
        while next < text.endIndex, DecimalText.isSpace(text[next]) { next += 1 }
        if next < text.endIndex, text[next] == UInt8(ascii: ":") {
          key = string
          count += 1
          keys.insert(string)
          if depth == outerDepth { outerKeys.insert(string) }
        } else if key == "type" || key == "_type" || key == "class" {
          types.insert(string)
        }
      default: break
      }
      at += 1
    }
  }

  /// The kind, or nil for JSON of no known one.
  var kind: UnsupportedKind? {
    if !outerKeys.isDisjoint(with: ["timelineObjects", "semanticSegments", "timelineEdits"])
      || !keys.isDisjoint(with: ["latitudeE7", "rawSignals"])
      || (isArray && outerKeys.isSuperset(of: ["startTime", "endTime"])
        && !outerKeys.isDisjoint(with: ["visit", "activity", "timelinePath"]))
    {
      return .googleTimeline
    }
    if keys.contains("_type"), types.contains("location") { return .owntracks }
    if types.contains("TPV"), keys.contains("class") { return .gpsd }
    let shapes: Set = ["Point", "MultiPoint", "LineString", "MultiLineString"]
    if outerKeys.contains("type"), keys.contains("coordinates"), !types.isDisjoint(with: shapes) {
      return .geojson
    }
    if outerKeys.contains("locations"), keys.isSuperset(of: ["lat", "lon", "time"]) {
      return .polarsteps
    }
    return nil
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
