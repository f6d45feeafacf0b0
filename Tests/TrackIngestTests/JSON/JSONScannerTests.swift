import TestSupport
import Testing

@testable import TrackIngest

@Suite struct JSONScannerTests {
  /// A builder that wants everything except members named `skip…`, and writes down what it sees.
  struct Trace: JSONBuilder {
    var entries: [String] = []
    var open: [JSONContainer] = []

    mutating func wants(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
      let name = String(decoding: name, as: UTF8.self)
      entries.append("name \(name)")
      return !name.hasPrefix("skip")
    }
    mutating func take(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
      let text = String(decoding: value.text, as: UTF8.self)
      entries.append(value.isString ? "string \(text)" : "word \(text)")
    }
    mutating func open(
      _ container: JSONContainer, at place: JSONPlace, _ sink: inout some TrackSink
    ) -> Bool {
      open.append(container)
      entries.append(container == .object ? "{" : "[")
      return true
    }
    mutating func close(isComplete: Bool, _ sink: inout some TrackSink) {
      let closed = open.popLast()
      entries.append((closed == .object ? "}" : "]") + (isComplete ? "" : "?"))
    }
    mutating func damageArray() { entries.append("damage") }
  }

  private func scan(_ text: String, size: Int = .max) -> (entries: [String], sink: JSONRecorder) {
    var scanner = JSONScanner()
    var trace = Trace()
    var sink = JSONRecorder(.polarsteps, "")
    sink.events = []
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let piece = Array(bytes[start..<min(bytes.count, start + min(size, bytes.count))])
      piece.withUnsafeBufferPointer { scanner.scan($0, into: &trace, &sink) }
      start += piece.count
    }
    scanner.finish(into: &trace, &sink)
    return (trace.entries, sink)
  }

  @Test(arguments: Seeds.sample(100))
  func `a builder sees what the text says, in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let tree = RandomJSON.array([.random(depth: 0, &random), .random(depth: 0, &random)])
    let text = tree.text(&random)
    for size in [Int.max, 1, 2, 7, 64] {
      let found = scan(text, size: size)
      #expect(found.entries == tree.trace, "pieces of \(size): \(text)")
      #expect(found.sink.warnings.isEmpty)
    }
  }

  @Test func `each kind of error is reported with its line, and the rest of its object is ignored`()
  {
    let cases: [(String, [String])] = [
      ("{\"a\" 1, \"b\": 2}", ["{", "name a", "}"]),
      ("{\"a\": 1 \"b\": 2, \"c\": 3}", ["{", "name a", "word 1", "}"]),
      ("{\"a\": , \"b\": 2}", ["{", "name a", "}"]),
      ("{a: 1, \"b\": 2}", ["{", "}"]),
      ("{\"a\": 1, {}, \"b\": 2}", ["{", "name a", "word 1", "}"]),
      ("[1 2]", ["[", "word 1", "damage", "word 2", "]"]),
      ("[1,, 2]", ["[", "word 1", "damage", "word 2", "]"]),
      ("[{\"a\": 1]", ["[", "{", "name a", "word 1", "}?", "]"]),
      ("[1}]", ["[", "word 1", "damage", "]"]),
      ("[1, \0\0 2]", ["[", "word 1", "damage", "damage", "word 2", "]"]),
    ]
    for (text, expected) in cases {
      let found = scan("\n" + text)
      // The names of ignored members are not passed.
      #expect(found.entries == expected, "\(text)")
      #expect(found.sink.warnings.map(\.code).allSatisfy { $0 == .malformed }, "\(text)")
      #expect(found.sink.warnings.first?.line == 2, "\(text)")
    }
    #expect(scan("[1, 2,]").sink.warnings.isEmpty, "a comma at the end is harmless")
  }

  @Test func `text before and after the JSON is reported`() {
    #expect(scan("x [1]").sink.codes == [.malformed])
    #expect(scan("[1]\n\nx").sink.warnings.map(\.line) == [3])
    #expect(scan("[1] x ").sink.codes == [.trailingJunk])
    #expect(scan("[1]\n[2]").sink.warnings.isEmpty, "JSON lines")
    #expect(scan("\u{1E}[1]\n\u{1E}[2]\n").entries == ["[", "word 1", "]", "[", "word 2", "]"])
  }

  @Test func `a broken line ends with the line if the first one is complete`() {
    let found = scan("{\"a\":1}\n{\"b\":\"2\n{\"c\":3}\n")
    #expect(
      found.entries == [
        "{", "name a", "word 1", "}", "{", "name b", "}?", "{", "name c", "word 3", "}",
      ])
    #expect(found.sink.warnings.map(\.line) == [2])
  }

  @Test func `values that are too long are empty, names that are too long are unknown`() {
    let long = String(repeating: "7", count: JSONLimits.valueBytes)
    for size in [Int.max, 1, 100] {
      #expect(
        scan("[\"\(long)\", \(long)]", size: size).entries == [
          "[", "string \(long)", "word \(long)", "]",
        ])
      #expect(
        scan("[\"\(long)7\", \(long)7]", size: size).entries == ["[", "string ", "word ", "]"])
      #expect(scan("{\"\(long)7\": 1}", size: size).entries == ["{", "name ", "word 1", "}"])
    }
  }

  @Test func `nesting beyond the limit is skipped with a warning`() {
    let count = 50_000
    let text = String(repeating: "[", count: count) + "1" + String(repeating: "]", count: count)
    let found = scan(text)
    #expect(found.entries.count == 2 * JSONLimits.depth)
    #expect(found.sink.codes == [.leftOut])
    // Skipped values may be nested any number of levels deep.
    let skipped = scan("{\"skip\": \(text), \"a\": 1}")
    #expect(skipped.entries == ["{", "name skip", "name a", "word 1", "}"])
    #expect(skipped.sink.warnings.isEmpty)
  }

  @Test func `an end inside the text is truncation`() {
    for text in ["[1", "{\"a\":{\"b", "[\"x", "{\"skip\":[[[", "[{\"a\":1}"] {
      #expect(scan(text).sink.codes == [.truncated], "\(text)")
    }
  }
}
