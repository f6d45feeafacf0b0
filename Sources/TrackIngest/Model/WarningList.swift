/// Collects warnings: the first few of each code in full, the rest counted.
struct WarningList {
  /// Warnings of one code that are kept in full.
  static let shownPerCode = 3

  private var shown: [IngestWarning] = []
  private var counts: [IngestWarning.Code: Int] = [:]

  /// Takes a warning; its message is only made where it is shown.
  mutating func add(_ code: IngestWarning.Code, line: Int?, _ message: () -> String) {
    counts[code, default: 0] += 1
    if counts[code, default: 0] <= Self.shownPerCode {
      shown.append(IngestWarning(code: code, line: line, message: message()))
    }
  }

  /// The warnings; the last one of a code says how many more there were.
  var warnings: [IngestWarning] {
    var seen: [IngestWarning.Code: Int] = [:]
    return shown.map { warning in
      seen[warning.code, default: 0] += 1
      let hidden = (counts[warning.code] ?? 0) - Self.shownPerCode
      guard hidden > 0, seen[warning.code] == Self.shownPerCode else { return warning }
      return IngestWarning(
        code: warning.code, line: warning.line, message: "\(warning.message) (and \(hidden) more like it)")
    }
  }
}
