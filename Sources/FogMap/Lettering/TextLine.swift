/// A line of text on a picture.
package struct TextLine: Hashable, Sendable {
  /// Where the position of a line is.
  package enum Anchor: Hashable, Sendable {
    /// At the left end.
    case start
    /// In the middle.
    case middle
    /// At the right end.
    case end
  }

  /// The weight of the letters.
  package enum Weight: Hashable, Sendable {
    /// ``Typeface/display``
    case display
    /// ``Typeface/text``
    case text

    /// The letters.
    package var face: Typeface { self == .display ? .display : .text }
  }

  /// The text.
  package var text: String
  /// The size in pixels: the height of a line without space between lines.
  package var size: Double
  /// The weight.
  package var weight: Weight
  /// The column of the anchor.
  package var x: Double
  /// The row of the baseline.
  package var y: Double
  /// Where `x` is.
  package var anchor: Anchor
  /// The space between letters, as a share of the size.
  package var tracking: Double

  /// Creates a line.
  package init(
    _ text: String, size: Double, weight: Weight = .text, x: Double, y: Double,
    anchor: Anchor = .start, tracking: Double = 0
  ) {
    (self.text, self.size, self.weight) = (text, size, weight)
    (self.x, self.y, self.anchor, self.tracking) = (x, y, anchor, tracking)
  }

  /// The width in pixels.
  package var width: Double {
    var width = 0.0
    forEachGlyph { _, _, end in width = end }
    return max(0, width - tracking * size)
  }

  /// The column of the left end.
  package var left: Double {
    switch anchor {
    case .start: x
    case .middle: x - width / 2
    case .end: x - width
    }
  }

  /// Makes the size smaller, so that the line is not wider than this.
  package mutating func fit(width most: Double) {
    let width = width
    if width > most, width > 0 { size *= most / width }
  }

  /// Calls `body` with each letter and the columns of its ends from the left end of the line.
  private func forEachGlyph(_ body: (Typeface.Glyph, Double, Double) -> Void) {
    let face = weight.face
    let scale = size / face.units
    var column = 0.0
    var last: Typeface.Glyph?
    for character in text {
      guard let glyph = face.glyph(character) else { continue }
      if let last { column += Double(face.kerning(last, glyph)) * scale }
      let end = column + Double(glyph.advance) * scale + tracking * size
      body(glyph, column, end)
      (column, last) = (end, glyph)
    }
  }

  /// The outlines of the letters, counterclockwise as seen; holes clockwise.
  package var rings: [[PicturePoint]] {
    let scale = size / weight.face.units
    let left = left
    var rings: [[PicturePoint]] = []
    forEachGlyph { glyph, start, _ in
      for contour in glyph.contours {
        rings.append(
          Self.flattened(
            contour.map {
              (
                PicturePoint(left + start + Double($0.x) * scale, y - Double($0.y) * scale),
                $0.isOnCurve
              )
            }))
      }
    }
    return rings
  }

  /// A contour as a ring of points that is nowhere more than 0.02 pixels away from it.
  private static func flattened(_ contour: [(at: PicturePoint, isOn: Bool)]) -> [PicturePoint] {
    // Between two points off the curve lies one on it.
    var points: [(at: PicturePoint, isOn: Bool)] = []
    for (index, point) in contour.enumerated() {
      let before = contour[index > 0 ? index - 1 : contour.count - 1]
      if !point.isOn, !before.isOn { points.append(((before.at + point.at) / 2, true)) }
      points.append(point)
    }
    guard let first = points.firstIndex(where: \.isOn) else { return [] }
    var ring: [PicturePoint] = []
    var last = points[first].at
    var control: PicturePoint?
    for step in 1...points.count {
      let point = points[(first + step) % points.count]
      guard point.isOn else {
        control = point.at
        continue
      }
      if let control {
        let bend = last - control * 2 + point.at
        let length = (bend.x * bend.x + bend.y * bend.y).squareRoot()
        let parts = max(1, min(64, Int((length / 4 / 0.02).squareRoot().rounded(.up))))
        for part in 1..<max(2, parts) where parts > 1 {
          let share = Double(part) / Double(parts)
          let (one, two) = ((1 - share) * (1 - share), 2 * share * (1 - share))
          ring.append(last * one + control * two + point.at * (share * share))
        }
      }
      ring.append(point.at)
      (last, control) = (point.at, nil)
    }
    return ring
  }
}
