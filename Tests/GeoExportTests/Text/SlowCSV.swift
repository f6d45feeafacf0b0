/// Reads CSV character by character as RFC 4180 describes it, with line feeds as line ends.
enum SlowCSV {
  static func rows(of text: String) -> [[String]] {
    var rows: [[String]] = [[""]]
    var (isQuoted, wasQuote) = (false, false)
    func add(_ scalar: Unicode.Scalar) {
      rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(scalar)
    }
    for scalar in text.unicodeScalars {
      if isQuoted {
        if scalar == "\"" {
          (isQuoted, wasQuote) = (false, true)
        } else {
          add(scalar)
        }
        continue
      }
      switch scalar {
      case "\"":
        if wasQuote { add(scalar) }
        isQuoted = true
      case ",": rows[rows.count - 1].append("")
      case "\n": rows.append([""])
      default: add(scalar)
      }
      wasQuote = false
    }
    return rows.dropLast()
  }
}
