import ByteStreams
import TrackIngest

/// The fields of a query or of a form (`application/x-www-form-urlencoded`).
///
/// - Source: WHATWG URL Standard, section 5.1.
package struct FormFields: Hashable, Sendable {
  /// The maximum number of fields that are read; further ones are ignored.
  package static let maximumCount = 200

  /// The fields in order: names and values, decoded.
  package private(set) var list: [(name: String, value: [UInt8])] = []

  /// Creates fields from a query, without its question mark, or from the body of a form.
  ///
  /// - Complexity: O(bytes).
  package init(_ bytes: some Collection<UInt8>) {
    let pieces = bytes.split(
      separator: UInt8(ascii: "&"), maxSplits: Self.maximumCount, omittingEmptySubsequences: true)
    for piece in pieces.prefix(Self.maximumCount) {
      let parts = piece.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: Self.decoded(parts.first ?? piece), as: UTF8.self)
      list.append((name, parts.count > 1 ? Self.decoded(parts[1]) : []))
    }
  }

  /// Adds the fields of another list behind these.
  package mutating func append(_ other: FormFields) { list += other.list }

  /// The first field that has a name and is not empty; nil if there is none.
  package func field(_ name: String) -> FieldText? {
    list.first { $0.name == name && !$0.value.isEmpty }.map { FieldText($0.value, isText: true) }
  }

  /// The same as text.
  package func text(_ name: String) -> String? {
    field(name).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// Decodes `%` and two digits, and `+` as a space. Anything else stands for itself.
  package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let rest = bytes[index...].dropFirst().prefix(2)
      let digits = rest.compactMap { Hexadecimal.value(ofDigit: $0) }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        decoded.append(digits[0] << 4 | digits[1])
        index = rest.endIndex
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        index = bytes.index(after: index)
      }
    }
    return decoded
  }

  package static func == (left: FormFields, right: FormFields) -> Bool {
    left.list.elementsEqual(right.list) { $0.name == $1.name && $0.value == $1.value }
  }

  package func hash(into hasher: inout Hasher) {
    for (name, value) in list {
      hasher.combine(name)
      hasher.combine(value)
    }
  }
}
