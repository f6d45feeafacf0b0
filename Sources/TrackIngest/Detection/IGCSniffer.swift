/// Detects IGC files by their first records.
enum IGCSniffer {
  /// Whether the first record is that of a recorder (`A`, three characters of the maker), a date or
  /// a fix, and a date or a fix is among the records. The text begins with its first record.
  static func isFlight(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, [0x41, 0x42, 0x48].contains(first) else { return false }
    let lines = text.split { $0 == 0x0A || $0 == 0x0D }
    guard let record = lines.first else { return false }
    if isDateOrFix(record) { return true }
    return record.count >= 4 && first == 0x41
      && record.dropFirst().prefix(3).allSatisfy(isCapitalOrDigit)
      && lines.dropFirst().contains(where: isDateOrFix)
  }

  private static func isDateOrFix(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.first == 0x42 || line.first == 0x48 else { return false }
    return line.withUnsafeBufferPointer { bytes in
      let record = IGCRecord(bytes)
      return record.isDate || IGCFix(record, IGCExtensions()).position != .invalid
    }
  }

  private static func isCapitalOrDigit(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
  }
}
