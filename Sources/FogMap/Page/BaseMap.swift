/// The base map of map pages, `data/packed/basemap.bin`: the shapes as a page's script reads them,
/// and where names of countries and regions stand. `docs/formats/geodata.md` describes the bytes.
package struct BaseMap: Sendable {
  /// The place of a name.
  package struct Label: Hashable, Sendable {
    /// The country's ISO 3166-1 code; nil for a first-level division.
    package let countryCode: String?
    /// The latitude in degrees.
    package let latitudeDegrees: Double
    /// The longitude in degrees.
    package let longitudeDegrees: Double
    /// The lowest zoom at which the name has room, for a world of 256 · 2^zoom pixels.
    package let lowestZoom: Double
  }

  /// The shapes: a raw deflate stream.
  let shapes: [UInt8]
  /// The places of names.
  package let labels: [Label]

  /// The base map that is linked into the program; empty if another file is linked in, which the
  /// tests rule out.
  package static let linkedIn = BaseMap(MapPageFile.baseMap.bytes) ?? BaseMap()

  private init() { (shapes, labels) = ([], []) }

  /// Reads a packed file; nil if its sections are not as they should be.
  ///
  /// Sound: every offset is compared with the number of bytes before it is used.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 32, bytes.prefix(8).elementsEqual("RoquaGeo".utf8) else { return nil }
    func section(_ tag: String) -> UnsafeRawBufferPointer? {
      for index in 0..<Int(bytes.integer(12, as: UInt32.self)) {
        let entry = 32 + 16 * index
        guard entry + 16 <= bytes.count else { return nil }
        guard bytes[entry..<entry + 4].elementsEqual(tag.utf8) else { continue }
        let start = Int(bytes.integer(entry + 4, as: UInt32.self))
        let end = start + Int(bytes.integer(entry + 8, as: UInt32.self))
        return end <= bytes.count ? UnsafeRawBufferPointer(rebasing: bytes[start..<end]) : nil
      }
      return nil
    }
    guard let shapes = section("BMAP"), let rows = section("LABL"), rows.count % 12 == 0 else {
      return nil
    }
    self.shapes = Array(shapes)
    labels = stride(from: 0, to: rows.count, by: 12).map { row in
      let code = rows[row] == 0 ? nil : String(decoding: rows[row..<row + 2], as: UTF8.self)
      return Label(
        countryCode: code,
        latitudeDegrees: Double(rows.integer(row + 8, as: Int32.self)) / 1_000,
        longitudeDegrees: Double(rows.integer(row + 4, as: Int32.self)) / 1_000,
        lowestZoom: Double(rows[row + 2]) / 10)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian integer at an offset, which must be in range; checked in debug builds.
  ///
  /// Sound: `BaseMap` reads the head of 32 bytes, entries that end within the file, and rows of 12
  /// bytes in a section whose size is a multiple of that.
  fileprivate func integer<Value: FixedWidthInteger>(_ offset: Int, as type: Value.Type) -> Value {
    Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }
}
