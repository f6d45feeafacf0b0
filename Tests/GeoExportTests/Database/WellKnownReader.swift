@testable import GeoExport

/// Reads a little-endian geometry number by number: an oracle for the encoders.
struct WellKnownReader {
  private let bytes: [UInt8]
  private(set) var place: Int

  init(_ bytes: [UInt8], from place: Int = 0) { (self.bytes, self.place) = (bytes, place) }

  mutating func byte() -> UInt8 {
    place += 1
    return bytes[place - 1]
  }

  mutating func int32() -> Int32 {
    let value = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    place += 4
    return Int32(bitPattern: value)
  }

  mutating func double() -> Double {
    let value = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
    place += 8
    return Double(bitPattern: value)
  }

  /// Reads a geometry from its code on.
  mutating func geometry() -> ExportGeometry? {
    var geometry = ExportGeometry()
    let code = int32()
    switch code {
    case 1: geometry.append(x: double(), y: double())
    case 2002:
      for _ in 0..<int32() { geometry.append(x: double(), y: double(), measure: double()) }
    case 3:
      for _ in 0..<int32() {
        for _ in 0..<int32() { geometry.append(x: double(), y: double()) }
        geometry.endRing()
      }
    default: return nil
    }
    return geometry
  }

  var isAtEnd: Bool { place == bytes.count }
}

extension ExportGeometry {
  /// Whether all numbers have the same bits; NaN equals itself.
  func isIdentical(to other: ExportGeometry) -> Bool {
    coordinates == other.coordinates && ringEnds == other.ringEnds
      && measures.map(\.bitPattern) == other.measures.map(\.bitPattern)
  }
}
