/// A chunk of kept fixes as stored.
package struct StoredChunk: Hashable, Sendable {
  /// Its number: chunks are numbered in the order of import.
  package let id: Int64
  /// The number of its source.
  package let source: Int64
  /// The number of its fixes.
  package let count: Int
}
