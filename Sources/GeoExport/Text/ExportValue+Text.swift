extension ExportValue {
  /// The text of a value as JSON, XML and CSV write it, without quotes: whole numbers, numbers,
  /// `true` and `false`, and times in ISO 8601. Texts and missing values give nothing.
  func appendPlain(to bytes: inout [UInt8]) {
    switch self {
    case .null, .text: break
    case .integer(let value): bytes.appendInteger(value)
    case .real(let value): bytes.appendNumber(value)
    case .boolean(let value): bytes.append(contentsOf: value ? Self.yes : Self.no)
    case .time(let milliseconds): bytes.appendTime(milliseconds: milliseconds)
    }
  }

  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
}
