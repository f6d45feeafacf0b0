/// The names of cities in one language, by their GeoNames numbers, for many lookups.
///
/// A table says where the numbers of each block of 16,384 begin, so that a lookup compares only
/// those of its block.
struct CityNameIndex: Sendable {
  private static let blockBits: UInt32 = 14

  private let file: NamesFile
  private let row: Int
  /// The entry with which each block begins, counted from the language's first one, and the end.
  private let starts: [UInt32]

  /// Creates the index of a language.
  ///
  /// - Complexity: O(names of the language).
  init(_ file: NamesFile, language row: Int) {
    (self.file, self.row) = (file, row)
    let keys = file.cityKeys(language: row)
    let blocks = Int((keys.max() ?? 0) >> Self.blockBits) + 1
    var starts: [UInt32] = []
    starts.reserveCapacity(blocks + 1)
    for (position, key) in keys.enumerated() {
      while starts.count <= Int(key >> Self.blockBits) { starts.append(UInt32(position)) }
    }
    while starts.count <= blocks { starts.append(UInt32(keys.count)) }
    self.starts = starts
  }

  /// The name of a city by its GeoNames number; nil if it has none.
  @inline(__always)
  func name(of identifier: UInt32) -> String? {
    let block = Int(identifier >> Self.blockBits)
    guard block + 1 < starts.count else { return nil }
    let first = Int(starts[block])
    return file.city(identifier, in: first..<Int(starts[block + 1]), language: row)
  }
}
