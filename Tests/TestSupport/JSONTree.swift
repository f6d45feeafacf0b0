import Foundation

/// A JSON document parsed by Foundation, which shares no code with the writer under test.
@dynamicMemberLookup
public enum JSONTree: Hashable, Sendable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  /// Parses one document, which may be surrounded by white space.
  public init(parsing text: some StringProtocol) throws {
    self = try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
  }

  /// Decodes the value at one place of a document.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSONTree].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  /// A member of an object; null if there is none.
  public subscript(dynamicMember name: String) -> JSONTree { self[name] }
  /// A member of an object; null if there is none.
  public subscript(name: String) -> JSONTree { members[name] ?? .null }
  /// An element of an array; null if there is none.
  public subscript(index: Int) -> JSONTree {
    elements.indices.contains(index) ? elements[index] : .null
  }

  /// The members of an object; empty for other values.
  public var members: [String: JSONTree] {
    if case .object(let members) = self { members } else { [:] }
  }
  /// The names of an object's members.
  public var names: Set<String> { Set(members.keys) }
  /// The elements of an array; empty for other values.
  public var elements: [JSONTree] { if case .array(let values) = self { values } else { [] } }
  /// The value of a number.
  public var double: Double? { if case .number(let value) = self { value } else { nil } }
  /// The value of a whole number.
  public var int: Int? { double.flatMap(Int.init(exactly:)) }
  /// The value of a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// Whether the value is null.
  public var isNull: Bool { self == .null }

  /// Returns the object without some members.
  public func without(_ names: String...) -> JSONTree {
    .object(members.filter { !names.contains($0.key) })
  }
}
