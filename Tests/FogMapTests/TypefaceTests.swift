import ByteStreams
import TestSupport
import Testing

@testable import FogMap

@Suite struct TypefaceTests {
  @Test func `every letter of European languages is there`() {
    let samples = [
      "The quick brown fox jumps over the lazy dog 0123456789 .,;:!?()[]{}'\"&@#%*+-/=<>",
      "ÄÖÜäöüß ÀÉÈÊËÎÏÔÙÛÇ àéèêëîïôùûç Ññ ÅåÆæØø Łł ŚśŹźŻż ČčĎďĚěŇňŘřŠšŤťŮůŽž ŐőŰű ĞğİıŞş",
      "ĀāĒēĢģĪīĶķĻļŅņŪū Ăă Șș Țț Ðð Þþ Tiếng Việt Ĉĝ", "Ελληνικά ΑΒΓΔ", "Русский Українська Ђђ",
      "km² 0.016 % – — “quoted” ‘a’ … • −5° ½",
    ]
    for face in [Typeface.display, .text] {
      for sample in samples {
        #expect(face.readable(sample).missing == 0, "\(sample)")
      }
      #expect(0.6...0.8 ~= face.capHeight)
    }
  }

  @Test func `composed and decomposed letters are the same, and unknown marks are left out`() {
    let face = Typeface.display
    #expect(face.readable("e\u{301}").missing == 0)
    let (composed, decomposed) = (
      TextLine("é", size: 9, x: 0, y: 0), TextLine("e\u{301}", size: 9, x: 0, y: 0)
    )
    #expect(composed.rings == decomposed.rings && !composed.rings.isEmpty)
    // No letter of its own: q with a tilde above.
    #expect(
      TextLine("q\u{303}", size: 9, x: 0, y: 0).rings == TextLine("q", size: 9, x: 0, y: 0).rings)
  }

  @Test func `characters without a letter are counted and left out`() {
    let face = Typeface.display
    let found = face.readable("Tokyo 東京 2024 👍🏽 trip")
    #expect(found.text == "Tokyo 2024 trip" && found.missing == 3)
    #expect(face.readable("東京") == ("", 2))
    #expect(face.readable("a  b") == ("a  b", 0))
    #expect(face.readable("\u{1B}[2J").missing == 1)
  }

  @Test func `lines are as wide as their letters, and fit where they must`() {
    var line = TextLine("Explored", size: 100, weight: .display, x: 500, y: 200, anchor: .middle)
    let points = line.rings.flatMap { $0 }
    let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
    #expect(abs((left + right) / 2 - 500) < 8)
    #expect(abs(right - left - line.width) < 20)
    // Capitals stand on the baseline; p goes below it.
    #expect(abs((points.map(\.y).min() ?? 0) - (200 - 100 * Typeface.display.capHeight)) < 8)
    #expect((points.map(\.y).max() ?? 0) > 210)
    line.fit(width: 100)
    #expect(abs(line.width - 100) < 0.01)
    let tracked = TextLine("Explored", size: 100, x: 0, y: 0, tracking: 0.1)
    let plain = TextLine("Explored", size: 100, x: 0, y: 0)
    #expect(abs(tracked.width - plain.width - 70) < 0.01)
    // Kerning moves V to A.
    let (pair, one, other) = (
      TextLine("AV", size: 100, x: 0, y: 0), TextLine("A", size: 100, x: 0, y: 0),
      TextLine("V", size: 100, x: 0, y: 0)
    )
    #expect(pair.width < one.width + other.width - 1)
  }

  @Test func `an o is a ring with a hole`() throws {
    let rings = TextLine("o", size: 100, x: 0, y: 100).rings
    #expect(rings.count == 2)
    func area(_ ring: [PicturePoint]) -> Double {
      var doubled = 0.0
      for (index, end) in ring.enumerated() {
        let start = ring[index > 0 ? index - 1 : ring.count - 1]
        doubled += start.y * end.x - start.x * end.y
      }
      return doubled / 2
    }
    let areas = rings.map(area).sorted()
    #expect(areas[0] < -300 && areas[1] > 1_500 && areas[0] + areas[1] > 500)
  }

  @Test func `a cut file has no letters`() throws {
    let bytes = MapPageFile.letters.bytes
    #expect(Typeface.faces(bytes)?.count == 2)
    for cut in Array(0..<64) + Array(stride(from: 64, to: bytes.count, by: 997)) {
      #expect(Typeface.faces(UnsafeRawBufferPointer(rebasing: bytes[..<cut])) == nil)
    }
    let whole = try #require(RawDeflate.expanded(bytes, limit: 1 << 22))
    // Cut off before it is compressed.
    let stream = try DeflateStream(.raw, level: 1)
    for cut in stride(from: 0, to: whole.count, by: 9_973) {
      let packed = stream.compress(Array(whole[..<cut]))
      #expect(packed.withUnsafeBytes { Typeface.faces($0) } == nil)
    }
  }
}
