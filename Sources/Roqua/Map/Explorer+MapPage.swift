import GeoStore
import SQLiteLayer

extension Explorer {
  /// A map as one self-contained HTML page, as ``writeMap(to:of:replacing:)`` writes it.
  ///
  /// - Throws: errors of reading the store.
  /// - Complexity: O(n log n) in kept fixes; memory for the coverage and the page.
  package func mapPage(of query: MapQuery = MapQuery()) throws -> [UInt8] {
    guard let made = try read({ try MapPageMaker(explorer: self, query: query).make(of: $0) })
    else { throw DatabaseError.cannotWrite(path: "map", reason: "there is not enough memory") }
    return made.html
  }
}
