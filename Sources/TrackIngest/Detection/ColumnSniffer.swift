/// Detects text with columns: a first line that names latitude and longitude.
enum ColumnSniffer {
  /// Bytes of a line of names at most.
  private static let longestLine = 4_096

  /// Whether the first line has names of columns, two of which are latitude and longitude.
  static func namesPositions(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.prefix(longestLine).prefix { $0 != 0x0A && $0 != 0x0D }
    // A brace is of JSON, not of a name.
    guard line.count < longestLine,
      line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7B) || $0 == 0x09 })
    else { return false }
    let names = line.split { $0 == 0x2C || $0 == 0x3B || $0 == 0x09 || $0 == 0x7C }
      .map { field in
        String(decoding: field.filter { $0 != 0x22 && $0 != 0x20 && $0 != 0x27 }, as: UTF8.self)
          .lowercased()
      }
    return names.contains { isName($0, short: ["lat"], long: "latitude") }
      && names.contains { isName($0, short: ["lon", "lng", "long"], long: "longitude") }
  }

  /// `lat`, `latitude`, `latitude_deg`, `location-lat`, `start_latitude`.
  private static func isName(_ name: String, short: [String], long: String) -> Bool {
    let words = name.split { !$0.isLetter }.map(String.init)
    return words.contains { short.contains($0) || $0 == long } || name.hasPrefix(long)
  }
}
