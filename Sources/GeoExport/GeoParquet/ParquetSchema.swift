/// The tree of columns of a Parquet file.
struct ParquetSchema {
  /// An element of the tree, which lists each group before its members.
  struct Element {
    /// The codes of `FieldRepetitionType`.
    enum Repetition: Int32 {
      case required = 0
      case optional = 1
      case repeated = 2
    }

    var name: String
    var repetition: Repetition?
    /// The leaf; nil for a group.
    var leaf: ParquetLeaf?
    var memberCount = 0
    var isList = false

    func write(to writer: inout ThriftCompact) {
      if let leaf { writer.field(1, leaf.physical.rawValue) }
      if let repetition { writer.field(3, repetition.rawValue) }
      writer.field(4, name)
      if leaf == nil { writer.field(5, Int32(memberCount)) }
      // The older kind of annotation, then the newer one.
      switch leaf?.logical {
      case .text:
        writer.field(6, Int32(0))  // UTF8
        writer.field(10) { $0.field(1) { _ in } }  // STRING
      case .time:
        writer.field(6, Int32(9))  // TIMESTAMP_MILLIS
        writer.field(10) { $0.field(8, Self.writeTimestamp) }  // TIMESTAMP
      case nil:
        if isList {
          writer.field(6, Int32(3))  // LIST
          writer.field(10) { $0.field(3) { _ in } }  // LIST
        }
      }
    }

    private static func writeTimestamp(to type: inout ThriftCompact) {
      type.field(1, true)  // in UTC
      type.field(2) { $0.field(1) { _ in } }  // MILLIS
    }
  }

  /// The elements, the root first.
  private(set) var elements: [Element] = []
  /// The leaves, in the order of their columns in a row group.
  private(set) var leaves: [ParquetLeaf] = []

  /// Creates the schema of columns in their order.
  init(name: String, _ columns: [ParquetColumn]) {
    elements.append(Element(name: name))
    for column in columns { append(column.leaf) }
  }

  private mutating func append(_ leaf: ParquetLeaf) {
    leaves.append(leaf)
    let isList = leaf.path.count == 3
    if leaf.path.count > 1 {
      if let group = elements.lastIndex(where: { $0.name == leaf.path[0] && $0.leaf == nil }),
        group > 0
      {
        elements[group].memberCount += 1
      } else {
        elements[0].memberCount += 1
        elements.append(
          Element(name: leaf.path[0], repetition: .required, memberCount: 1, isList: isList))
        if isList {
          elements.append(Element(name: leaf.path[1], repetition: .repeated, memberCount: 1))
        }
      }
    } else {
      elements[0].memberCount += 1
    }
    elements.append(
      Element(
        name: leaf.path[leaf.path.count - 1],
        repetition: leaf.isOptional ? .optional : .required, leaf: leaf))
  }
}
