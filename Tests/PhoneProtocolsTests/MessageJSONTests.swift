import Foundation
import Geodesy
import SeededRandom
import Testing
import TrackIngest

@testable import PhoneProtocols

@Suite struct MessageJSONTests {
  /// Foundation's reader as an oracle, with strings and numbers as text.
  private static func oracle(_ text: String) -> MessageJSON? {
    func convert(_ value: Any) -> MessageJSON {
      switch value {
      case let text as String: .field(FieldText(Array(text.utf8), isText: true))
      case let list as [Any]: .array(list.map(convert))
      case let object as [String: Any]:
        .object(
          object.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: convert($0.value)) })
      case is NSNull: .word
      case let number as NSNumber:
        String(describing: type(of: number)).contains("Bool") || "\(number)" == "true"
          || "\(number)" == "false"
          ? .word : .field(FieldText(Array("\(number.doubleValue)".utf8), isText: false))
      default: .word
      }
    }
    let data = Data(text.utf8)
    return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)).map(convert)
  }

  /// Numbers as Foundation prints them, and members in order, so that both readings compare.
  private static func normalized(_ value: MessageJSON) -> MessageJSON {
    switch value {
    case .word: .word
    case .field(let field):
      field.isText
        ? value : .field(FieldText(Array("\(field.value ?? .nan)".utf8), isText: false))
    case .array(let elements): .array(elements.map(normalized))
    case .object(let members):
      .object(
        members.sorted { $0.name < $1.name }
          .map { .init(name: $0.name, value: normalized($0.value)) })
    }
  }

  private static func document(depth: Int, _ random: inout SplitMix64) -> String {
    let space = ["", " ", "\n", "\t "].randomElement(using: &random) ?? ""
    func string(_ random: inout SplitMix64) -> String {
      let pieces = ["a", "é", "\\n", "\\\"", "\\u00e9", "\\ud83d\\ude00", "😀", "\\/", " ", "lat"]
      return "\""
        + (0..<Int.random(in: 0...4, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined() + "\""
    }
    switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
    case 0: return space + "null"
    case 1: return space + string(&random)
    case 2: return space + "\(Int.random(in: -1_000_000...1_000_000, using: &random))"
    case 3: return space + "\(Double(Int.random(in: -999...999, using: &random)) / 8)e2" + space
    case 4: return ["true", "false"].randomElement(using: &random) ?? "true"
    case 5:
      let count = Int.random(in: 0...3, using: &random)
      return "["
        + (0..<count).map { _ in document(depth: depth - 1, &random) }
        .joined(separator: ",") + space + "]"
    default:
      let count = Int.random(in: 0...3, using: &random)
      return "{" + space
        + (0..<count).map { index in
          "\"k\(index)\"" + space + ":" + document(depth: depth - 1, &random)
        }.joined(separator: ",") + "}"
    }
  }

  @Test(arguments: 0..<300) func `documents read as Foundation reads them`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let text = Self.document(depth: 4, &random)
    let expected = try #require(Self.oracle(text), "\(text)")
    #expect(Self.normalized(try MessageJSON(Array(text.utf8))) == Self.normalized(expected))
  }

  @Test(arguments: 0..<60) func `a document cut off anywhere is refused`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let bytes = Array("[\(Self.document(depth: 4, &random))]".utf8)
    for end in bytes.indices {
      #expect(throws: MessageError.self) { try MessageJSON(Array(bytes[..<end])) }
    }
  }

  @Test(arguments: [
    "", " ", "{", "[1 2]", "01", "1.", ".5", "+1", "1e", "nul", "tru e",
    "\"a", "\"\\x\"", "\"\\u12\"", "\"\u{1}\"", "[1]x", "{a:1}", "{\"a\" 1}", "'a'", "NaN", "-",
    "[1]]", "{\"a\"}",
  ]) func `what is not JSON is refused`(text: String) {
    #expect(Self.oracle(text) == nil, "the oracle accepts it")
    #expect(throws: MessageError.self) { try MessageJSON(Array(text.utf8)) }
  }

  /// Foundation's reader accepts these.
  @Test(arguments: ["[1,]", "{\"a\":1,}", "[,]", "{,}"])
  func `a comma without a value is refused`(text: String) {
    #expect(throws: MessageError.self) { try MessageJSON(Array(text.utf8)) }
  }

  @Test func `nesting is limited`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(throws: Never.self) { try MessageJSON(nested(MessageJSON.maximumDepth)) }
    #expect(throws: MessageError.self) { try MessageJSON(nested(MessageJSON.maximumDepth + 1)) }
    #expect(throws: MessageError.self) { try MessageJSON(nested(100_000)) }
  }

  @Test func `a byte order mark is passed over, and the first of two members counts`() throws {
    let document = try MessageJSON([0xEF, 0xBB, 0xBF] + Array("{\"a\":1,\"a\":2}".utf8))
    #expect(document["a"]?.field?.number == 1)
  }
}
