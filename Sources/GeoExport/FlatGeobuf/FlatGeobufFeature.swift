import Geodesy

/// A feature of a FlatGeobuf file: a FlatBuffer with the number of its bytes before it
/// (``FlatBuffer``).
///
/// The tables have the same layout in all features of a layer, so the bytes before the first vector
/// are constant. A feature takes a multiple of 8 bytes: in a file of them all numbers are aligned.
///
/// - Source: the specification of FlatGeobuf 3.0, `feature.fbs`: `Feature` has the fields
///   `geometry`, `properties`, `columns`; `Geometry` has `ends`, `xy`, `z`, `m`, `t`, `tm`, `type`,
///   `parts`.
enum FlatGeobufFeature {
  /// The most bytes of a feature: readers take references as 31 bits.
  static let mostBytes = Int(Int32.max)

  /// Appends a feature.
  ///
  /// - Throws: ``ExportFailure/failed(reason:)`` if it has more than ``mostBytes``.
  static func append(
    _ feature: ExportFeature, of layer: ExportLayer, to bytes: inout [UInt8]
  ) throws(ExportFailure) {
    let start = bytes.count
    switch layer.shape {
    case .point: appendPoint(feature.geometry, to: &bytes)
    case .line: appendLine(feature.geometry, to: &bytes)
    case .polygon: appendPolygon(feature.geometry, to: &bytes)
    }
    let vector = bytes.count
    bytes.set(distanceTo: vector, at: start + propertiesPlace)
    bytes.append(littleEndian: UInt32(0))
    for (column, value) in feature.values.enumerated() { append(value, column, to: &bytes) }
    bytes.set(distanceTo: bytes.count - 4, at: vector)
    while (bytes.count - start) % 8 != 0 { bytes.append(0) }
    guard bytes.count - start <= mostBytes else {
      throw .failed(reason: "A feature has more than 2 GB, which FlatGeobuf cannot contain.")
    }
    bytes.set(distanceTo: bytes.count - 4, at: start)
  }

  /// The place of the reference to the properties.
  private static let propertiesPlace = 24

  /// The bytes 0...19: the size; the reference to the table of the feature, which is at 16; its
  /// virtual table; and the distance back to that.
  private static let beginning: [UInt8] = [
    0, 0, 0, 0, 12, 0, 0, 0, 8, 0, 12, 0, 4, 0, 8, 0, 8, 0, 0, 0,
  ]

  /// The rest of the tables of a point: the references to the geometry at 36 and to the properties;
  /// the virtual table of the geometry, which has `xy`; and its table.
  private static let point: [UInt8] =
    beginning + [
      16, 0, 0, 0, 0, 0, 0, 0, 8, 0, 8, 0, 0, 0, 4, 0, 8, 0, 0, 0, 4, 0, 0, 0,
    ]

  /// The same for a line: its geometry at 40 has `xy` and `m`, whose reference is at 48.
  private static let line: [UInt8] =
    beginning + [
      20, 0, 0, 0, 0, 0, 0, 0, 12, 0, 12, 0, 0, 0, 4, 0, 0, 0, 8, 0, 12, 0, 0, 0, 8, 0, 0, 0,
      0, 0, 0, 0,
    ]

  /// The same for a polygon: its geometry at 36 has `xy` and `ends`, whose reference is at 44; four
  /// bytes align the positions.
  private static let polygon: [UInt8] =
    beginning + [
      16, 0, 0, 0, 0, 0, 0, 0, 8, 0, 12, 0, 8, 0, 4, 0, 8, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0,
    ]

  private static func appendPoint(_ geometry: ExportGeometry, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: point)
    bytes.append(littleEndian: UInt32(2))
    bytes.append(littleEndian: geometry.coordinates[0])
    bytes.append(littleEndian: geometry.coordinates[1])
  }

  private static func appendLine(_ geometry: ExportGeometry, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: line)
    append(geometry.coordinates, to: &bytes)
    bytes.append(littleEndian: UInt32(0))  // aligns the measures
    bytes.set(distanceTo: bytes.count, at: start + 48)
    append(geometry.measures, to: &bytes)
  }

  private static func appendPolygon(_ geometry: ExportGeometry, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: polygon)
    append(geometry.coordinates, to: &bytes)
    bytes.set(distanceTo: bytes.count, at: start + 44)
    bytes.append(littleEndian: UInt32(geometry.ringEnds.count))
    for end in geometry.ringEnds { bytes.append(littleEndian: UInt32(end)) }
  }

  private static func append(_ numbers: [Double], to bytes: inout [UInt8]) {
    bytes.append(littleEndian: UInt32(numbers.count))
    for number in numbers { bytes.append(littleEndian: number) }
  }

  /// Appends a property: the index of its column in 2 bytes, then its value. Null is absent.
  private static func append(_ value: ExportValue, _ column: Int, to bytes: inout [UInt8]) {
    if value == .null { return }
    bytes.append(littleEndian: UInt16(column))
    switch value {
    case .null: break
    case .boolean(let value): bytes.append(value ? 1 : 0)
    case .integer(let value): bytes.append(littleEndian: value)
    case .real(let value): bytes.append(littleEndian: value)
    case .text(let text):
      bytes.append(littleEndian: UInt32(text.utf8.count))
      bytes.append(contentsOf: text.utf8)
    case .time(let milliseconds):
      // Sound: the buffer has room for the longest time, and is copied before it is freed.
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Timestamp.maximumISO8601Bytes) {
        let count = Timestamp(millisecondsSince1970: milliseconds).writeISO8601(to: $0)
        bytes.append(littleEndian: UInt32(count))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<count]))
      }
    }
  }
}

extension [UInt8] {
  /// Overwrites 4 bytes with the distance from them to a later place.
  fileprivate mutating func set(distanceTo place: Int, at field: Int) {
    set(littleEndian: UInt32(truncatingIfNeeded: place - field), at: field)
  }
}
