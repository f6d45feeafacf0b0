@testable import GeoExport

/// A FlatGeobuf file, read in full.
struct FlatGeobufReader {
  struct Node: Equatable {
    var box: [Double]
    var reference: Int
  }

  struct Feature {
    var place: Int
    var coordinates: [Double]
    var measures: [Double]
    var ends: [Int]?
    var values: [ExportValue]
  }

  var header: FlatBufferReader
  var root = 0
  var nodes: [Node] = []
  var features: [Feature] = []
  /// The numbers that are not aligned to their size in the file.
  var misaligned = 0

  /// - Parameter kinds: those of the layer's columns.
  init(_ bytes: [UInt8], _ kinds: [ExportField.Kind]) {
    precondition(Array(bytes[..<8]) == [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 1])
    header = FlatBufferReader(Array(bytes[8...]))
    root = header.reference(at: 4)
    var place = 12 + Int(header.number(0, width: 4))
    let count = Int(header.number(8, of: root, width: 8) ?? 0)
    let nodeSize = Int(header.number(9, of: root, width: 2) ?? 16)
    if count > 0, nodeSize > 0 {
      var total = count
      var level = count
      repeat {
        level = (level + nodeSize - 1) / nodeSize
        total += level
      } while level > 1
      var reader = FlatBufferReader(bytes)
      for node in 0..<total {
        let start = place + 40 * node
        let box = (0..<4).map { Double(bitPattern: reader.number(start + 8 * $0, width: 8)) }
        nodes.append(Node(box: box, reference: Int(reader.number(start + 32, width: 8))))
      }
      place += 40 * total
      misaligned += reader.misaligned
    }
    let start = place
    while place < bytes.count {
      var size = FlatBufferReader(bytes)
      let end = place + 4 + Int(size.number(place, width: 4))
      misaligned += place % 8
      features.append(read(Array(bytes[place..<end]), at: place - start, kinds))
      place = end
    }
    misaligned += header.misaligned
  }

  private mutating func read(
    _ bytes: [UInt8], at place: Int, _ kinds: [ExportField.Kind]
  ) -> Feature {
    var reader = FlatBufferReader(bytes)
    let table = reader.reference(at: 4)
    let geometry = reader.table(0, of: table) ?? 0
    let properties = (reader.vector(1, of: table, width: 1) ?? []).map { bytes[$0] }
    let feature = Feature(
      place: place, coordinates: reader.doubles(1, of: geometry) ?? [],
      measures: reader.doubles(3, of: geometry) ?? [],
      ends: reader.vector(0, of: geometry, width: 4)?.map { Int(reader.number($0, width: 4)) },
      values: Self.values(properties, kinds))
    misaligned += reader.misaligned
    return feature
  }

  private static func values(_ bytes: [UInt8], _ kinds: [ExportField.Kind]) -> [ExportValue] {
    var values = [ExportValue](repeating: .null, count: kinds.count)
    var rest = bytes[...]
    func number(_ width: Int) -> UInt64 {
      defer { rest = rest.dropFirst(width) }
      return rest.prefix(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func text() -> String {
      let count = Int(number(4))
      defer { rest = rest.dropFirst(count) }
      return String(decoding: rest.prefix(count), as: UTF8.self)
    }
    while !rest.isEmpty {
      let column = Int(number(2))
      switch kinds[column] {
      case .boolean: values[column] = .boolean(number(1) != 0)
      case .integer: values[column] = .integer(Int64(bitPattern: number(8)))
      case .real: values[column] = .real(Double(bitPattern: number(8)))
      case .text, .time: values[column] = .text(text())
      }
    }
    return values
  }
}
