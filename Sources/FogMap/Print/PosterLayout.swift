/// Where the parts of a poster are: a map in a margin, and below it a title, numbers and credits.
package struct PosterLayout: Sendable {
  /// A number with what it counts.
  package struct Number: Hashable, Sendable {
    let value: String
    let label: String

    /// Creates a number.
    package init(_ value: String, _ label: String) { (self.value, self.label) = (value, label) }
  }

  /// The map's part of the picture.
  package let frame: PictureFrame
  /// The text in the color of text: the title and the numbers.
  package private(set) var lines: [TextLine] = []
  /// The less important text.
  package private(set) var smallLines: [TextLine] = []

  /// Lays out a poster.
  package init(width: Int, height: Int, title: String, numbers: [Number], credits: String) {
    let (columns, rows) = (Double(width), Double(height))
    // Margins and letters suit the size; a narrow poster has smaller ones.
    let size = min((columns * rows).squareRoot(), 1.25 * min(columns, rows))
    let margin = (0.055 * size).rounded()
    let inner = columns - 2 * margin
    let bottom = rows - margin

    var credit = TextLine(
      credits, size: 0.0105 * size, x: columns / 2, y: bottom, anchor: .middle, tracking: 0.02)
    credit.fit(width: inner)
    smallLines.append(credit)

    let labelRow = bottom - 0.038 * size
    let valueRow = labelRow - 0.024 * size
    let cell = min(inner / Double(max(1, numbers.count)), 0.3 * size)
    let left = columns / 2 - cell * Double(numbers.count) / 2
    for (index, number) in numbers.enumerated() {
      let x = left + cell * (Double(index) + 0.5)
      var value = TextLine(
        number.value, size: 0.031 * size, weight: .display, x: x, y: valueRow, anchor: .middle)
      value.fit(width: 0.94 * cell)
      var label = TextLine(
        number.label, size: 0.0135 * size, x: x, y: labelRow, anchor: .middle, tracking: 0.03)
      label.fit(width: 0.94 * cell)
      lines.append(value)
      smallLines.append(label)
    }
    var heading = TextLine(
      title, size: 0.06 * size, weight: .display, x: columns / 2, y: 0, anchor: .middle)
    heading.fit(width: inner)
    heading.y = valueRow - (numbers.isEmpty ? 0 : 0.066 * size)
    lines.append(heading)
    let ceiling = heading.y - 0.06 * size * Typeface.display.capHeight - 0.045 * size
    frame = PictureFrame(
      x: Int(margin), y: Int(margin), width: max(16, width - 2 * Int(margin)),
      height: max(16, Int(ceiling - margin)))
  }
}
