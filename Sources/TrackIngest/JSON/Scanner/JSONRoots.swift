/// The texts of a file: mostly one, but a file may have one on each line.
struct JSONRoots {
  /// True if each line may have other text before its JSON.
  var isAfterText = false
  /// True if each line is a text of its own: a broken one then ends with its line.
  private(set) var areLines = false
  /// The number of texts that began.
  private(set) var count = 0
  /// The line where the last text began.
  private var firstLine = 0

  /// A text begins.
  mutating func begin(line: Int) {
    count += 1
    firstLine = line
  }

  /// A text ends. If the first one is on one line, others are expected on lines of their own.
  mutating func end(line: Int) {
    if count == 1, line == firstLine { areLines = true }
  }

  /// Other text comes where JSON is expected.
  mutating func noteText() {
    if isAfterText, count == 0 { areLines = true }
  }
}
