import Foundation
import TestSupport
import Testing

@testable import Roqua

/// The JSON writer, compared with Foundation's reader.
@Suite struct JSONValueTests {
  private func value(depth: Int, using random: inout SplitMix64) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2:
      return .integer(
        Int64.random(in: -9_007_199_254_740_992...9_007_199_254_740_992, using: &random))
    case 3: return .number(Double(bitPattern: random.next()))
    case 4: return .number(Double.random(in: -1_000...1_000, using: &random))
    case 5: return .string(text(using: &random))
    case 6:
      return .array(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          value(depth: depth - 1, using: &random)
        }
      )
    default:
      return .object(
        (0..<Int.random(in: 0...5, using: &random)).map { index in
          .init(text(using: &random) + "\(index)", value(depth: depth - 1, using: &random))
        })
    }
  }

  /// Text of all kinds of scalars, with a higher share of control characters.
  private func text(using random: inout SplitMix64) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let limit: UInt32 =
        [0x20, 0xA0, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The value that a reader should return.
  private func tree(_ value: JSONValue) -> JSONTree {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .number(Double(value))
    case .number(let value): value.isFinite ? .number(value) : .null
    case .string(let value): .string(value)
    case .array(let values): .array(values.map(tree))
    case .object(let members):
      .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, tree($0.value)) }))
    }
  }

  @Test(arguments: Seeds.sample(300))
  func `JSON that is written can be read back unchanged`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let original = value(depth: 4, using: &random)
    let text = original.description
    #expect(try JSONTree(parsing: text) == tree(original))
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    // One line, without any character that a terminal interprets.
    #expect(!text.unicodeScalars.contains(where: isObeyed))
  }

  private func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    let obeyed: [Unicode.GeneralCategory] = [
      .control, .format, .lineSeparator, .paragraphSeparator,
    ]
    // Words of some languages have joiners.
    return obeyed.contains(scalar.properties.generalCategory)
      && scalar != "\u{200C}" && scalar != "\u{200D}"
  }

  @Test func `every scalar survives a round trip, and control characters are escaped`() throws {
    for base in stride(from: UInt32(0), to: 0x11_0000, by: 0x400) {
      let scalars = (base..<base + 0x400).compactMap(Unicode.Scalar.init)
      let text = String(String.UnicodeScalarView(scalars))
      let written = JSONValue.string(text).description
      #expect(!written.unicodeScalars.contains(where: isObeyed), "\(base)")
      let read = try JSONTree(parsing: written)
      // Scalar by scalar, because equal strings may have different compositions.
      #expect(read.string.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(base)")
    }
  }

  @Test func `members of an object keep their order`() {
    let value: JSONValue = ["z": 1.json, "a": .null, "m": .array([.bool(true), .string("x")])]
    #expect(value.description == #"{"z":1,"a":null,"m":[true,"x"]}"#)
  }

  @Test func `numbers are as short as possible, and NaN and infinity are null`() {
    let numbers: [(Double, String)] = [
      (0, "0"), (-0.0, "0"), (1, "1"), (-3, "-3"), (0.1, "0.1"), (1e15, "1000000000000000"),
      (.nan, "null"), (.infinity, "null"), (-.infinity, "null"), (48.567_6, "48.5676"),
    ]
    for (number, text) in numbers { #expect(JSONValue.number(number).description == text) }
    #expect(JSONValue.integer(Int64.max).description == "9223372036854775807")
    #expect(JSONValue.integer(Int64.min).description == "-9223372036854775808")
    #expect(JSONValue.number(Double?.none) == .null)
    #expect(JSONValue.string(String?.none) == .null)
    #expect(JSONValue.integer(Int?.none) == .null)
  }

  @Test func `control characters in strings and names are escaped`() {
    #expect(
      JSONValue.string("a\"b\\c\n\r\t\u{1B}\u{7F}\u{9B}").description
        == #""a\"b\\c\n\r\t\u001b\u007f\u009b""#
    )
    #expect(JSONValue.object([.init("\u{7}", .null)]).description == #"{"\u0007":null}"#)
    #expect(JSONValue.string("\u{202E}\u{E0041}é").description == #""\u202e\udb40\udc41é""#)
  }
}

extension Int {
  fileprivate var json: JSONValue { .integer(self) }
}
