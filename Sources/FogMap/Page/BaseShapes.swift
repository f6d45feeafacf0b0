import ByteStreams

/// The shapes of the base map, read from `basemap.bin`: rings and lines by square of 11.25°.
/// `docs/formats/geodata.md` describes the bytes.
package struct BaseShapes: Sendable {
  /// The layers, in the order of the file.
  package enum Layer: Int, CaseIterable, Sendable {
    /// Rings of land.
    case land
    /// Rings of lakes.
    case lakes
    /// Lines of rivers.
    case rivers
    /// Lines of borders between countries.
    case countryBorders
    /// Lines of borders between first-level divisions.
    case regionBorders

    /// Whether shapes are rings that are filled.
    package var isFilled: Bool { self == .land || self == .lakes }
  }

  /// A ring or line.
  struct Shape: Sendable {
    /// The lowest zoom at which it can be seen, for a world of 256 · 2^zoom pixels.
    let rank: UInt8
    /// Its points in ``longitudes`` and ``latitudes``.
    let points: Range<Int>
  }

  /// The shapes of a square.
  struct Square: Sendable {
    /// The number, counted from 90° S, in rows of 32 from 180° W.
    let number: Int
    /// Its shapes.
    let shapes: Range<Int>

    /// The longitude of the western edge in degrees.
    var west: Double { Double(number % BaseShapes.columns) * BaseShapes.side - 180 }
    /// The latitude of the southern edge in degrees.
    var south: Double { Double(number / BaseShapes.columns) * BaseShapes.side - 90 }
  }

  /// The side of a square in degrees.
  static let side = 11.25
  /// The steps of a degree.
  static let steps = 1_000.0
  private static let columns = 32
  private static let mostBytes = 1 << 24

  /// The longitudes of all points in steps east of 180° W.
  private(set) var longitudes: [Int32] = []
  /// The latitudes of all points in steps north of 90° S.
  private(set) var latitudes: [Int32] = []
  private(set) var shapes: [Shape] = []
  /// The squares of each layer.
  private(set) var squares: [[Square]] = []

  /// The shapes that are linked into the program; none if they are damaged, which the tests rule
  /// out.
  package static let linkedIn = BaseShapes(deflated: BaseMap.linkedIn.shapes) ?? BaseShapes()

  private init() { squares = Layer.allCases.map { _ in [] } }

  /// Reads the shapes; nil if the bytes are damaged.
  init?(deflated: [UInt8]) {
    let bytes = deflated.withUnsafeBytes { RawDeflate.expanded($0, limit: Self.mostBytes) }
    guard let bytes, bytes.withUnsafeBytes({ read($0) }) else { return nil }
  }

  /// Sound: every byte is read through `VarintReader`, which checks its position.
  private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = VarintReader(bytes)
    guard reader.varint() == 1 else { return false }
    for _ in Layer.allCases {
      var (number, found) = (0, [Square]())
      for _ in 0..<(reader.varint() ?? 0) {
        guard let step = reader.varint(), let count = reader.varint() else { return false }
        number += step
        guard number < 512 else { return false }
        let first = shapes.count
        for _ in 0..<count { guard readShape(&reader, number) else { return false } }
        found.append(Square(number: number, shapes: first..<shapes.count))
      }
      squares.append(found)
    }
    return reader.isAtEnd
  }

  private mutating func readShape(_ reader: inout VarintReader, _ number: Int) -> Bool {
    let side = Int(Self.side * Self.steps)
    guard let rank = reader.byte(), let count = reader.varint(), count <= reader.bytesLeft / 2
    else { return false }
    var (x, y) = (number % Self.columns * side, number / Self.columns * side)
    let first = longitudes.count
    for _ in 0..<count {
      guard let east = reader.signed(), let north = reader.signed() else { return false }
      (x, y) = (x + east, y + north)
      guard abs(x) < 1_000_000, abs(y) < 1_000_000 else { return false }
      longitudes.append(Int32(x))
      latitudes.append(Int32(y))
    }
    shapes.append(Shape(rank: rank, points: first..<longitudes.count))
    return true
  }
}
