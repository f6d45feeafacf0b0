import ByteStreams

/// The letters of one weight, as outlines: `docs/formats/letters.md` describes their bytes.
package struct Typeface: Sendable {
  /// A letter.
  struct Glyph: Sendable {
    /// The distance to the next letter, in units.
    let advance: Int
    /// The place of its kerning pairs.
    let number: Int
    /// Its contours, counterclockwise with y upwards; holes clockwise.
    let contours: [[Point]]
  }

  /// A point of a contour, in units.
  struct Point: Sendable {
    let x: Int
    let y: Int
    /// Whether it is on the curve; others control quadratic curves, as in TrueType.
    let isOnCurve: Bool
  }

  /// The height of capitals, as a share of the size.
  package let capHeight: Double
  /// The units of the size.
  let units: Double
  /// Characters are equal if they are canonically equivalent, so composed ones are found too.
  private let glyphs: [Character: Glyph]
  private let kerning: [Int: Int]
  /// The number of characters in the file, some of which may be canonically equivalent.
  private let count: Int

  /// Semibold letters for large text.
  package static let display = linkedIn.first ?? Typeface()
  /// Medium letters for small text.
  package static let text = linkedIn.last ?? Typeface()

  /// The faces that are linked into the program; none if they are damaged, which the tests rule
  /// out.
  private static let linkedIn = faces(MapPageFile.letters.bytes) ?? []

  private init() { (capHeight, units, glyphs, kerning, count) = (0.7, 1, [:], [:], 0) }

  private init(
    capHeight: Double, units: Double, glyphs: [Character: Glyph], kerning: [Int: Int], count: Int
  ) {
    (self.capHeight, self.units, self.glyphs) = (capHeight, units, glyphs)
    (self.kerning, self.count) = (kerning, count)
  }

  /// Reads the faces of a packed file; nil if it is damaged.
  ///
  /// Sound: every byte is read through `VarintReader`, which checks its position.
  static func faces(_ bytes: UnsafeRawBufferPointer) -> [Typeface]? {
    guard let expanded = RawDeflate.expanded(bytes, limit: 1 << 22) else { return nil }
    return expanded.withUnsafeBytes { bytes in
      var reader = VarintReader(bytes)
      guard reader.varint() == 1, let units = reader.varint(), units > 0,
        let count = reader.varint(), 1...16 ~= count
      else { return nil }
      var faces: [Typeface] = []
      for _ in 0..<count {
        guard let face = read(&reader, units: units) else { return nil }
        faces.append(face)
      }
      return reader.isAtEnd ? faces : nil
    }
  }

  private static func read(_ reader: inout VarintReader, units: Int) -> Typeface? {
    guard let height = reader.varint(), let count = reader.varint(), count <= reader.bytesLeft
    else { return nil }
    var (code, glyphs) = (0, [Character: Glyph]())
    for number in 0..<count {
      guard let step = reader.varint(), let advance = reader.varint(),
        let contours = readContours(&reader)
      else { return nil }
      code += step
      guard code < 0x11_0000, let scalar = UnicodeScalar(UInt32(code)) else { return nil }
      glyphs[Character(scalar)] = Glyph(advance: advance, number: number, contours: contours)
    }
    guard let pairs = reader.varint(), pairs <= reader.bytesLeft else { return nil }
    var (key, kerning) = (0, [Int: Int]())
    for _ in 0..<pairs {
      guard let step = reader.varint(), let moved = reader.signed() else { return nil }
      key += step
      kerning[key] = moved
    }
    return Typeface(
      capHeight: Double(height) / Double(units), units: Double(units), glyphs: glyphs,
      kerning: kerning, count: count)
  }

  private static func readContours(_ reader: inout VarintReader) -> [[Point]]? {
    guard let count = reader.varint(), count <= reader.bytesLeft else { return nil }
    var (contours, x, y) = ([[Point]](), 0, 0)
    for _ in 0..<count {
      guard let points = reader.varint(), points <= reader.bytesLeft / 2 else { return nil }
      var contour: [Point] = []
      contour.reserveCapacity(points)
      for _ in 0..<points {
        guard let east = reader.signed(), let north = reader.signed() else { return nil }
        (x, y) = (x + east >> 1, y + north)
        contour.append(Point(x: x, y: y, isOnCurve: east & 1 == 0))
      }
      contours.append(contour)
    }
    return contours
  }

  // MARK: - Letters

  /// The letter of a character. One with marks that has none of its own gets the letter without
  /// its marks.
  func glyph(_ character: Character) -> Glyph? {
    if let glyph = glyphs[character] { return glyph }
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count > 1,
      scalars.dropFirst().allSatisfy({ $0.properties.generalCategory == .nonspacingMark })
    else { return nil }
    return glyphs[Character(first)]
  }

  /// By how many units a letter moves to the one before it.
  func kerning(_ left: Glyph, _ right: Glyph) -> Int {
    kerning[left.number * count + right.number] ?? 0
  }

  /// The text without the characters that have no letter, and how many those are.
  package func readable(_ text: String) -> (text: String, missing: Int) {
    var (kept, missing) = ("", 0)
    for character in text {
      if glyph(character) != nil {
        kept.append(character)
      } else {
        missing += 1
      }
    }
    // A gap between two words is one space wide.
    let words = kept.split(separator: " ")
    return (missing > 0 ? words.joined(separator: " ") : kept, missing)
  }
}
