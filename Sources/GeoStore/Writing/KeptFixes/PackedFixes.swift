/// Kept fixes in packed form, as devices exchange them.
package struct PackedFixes: Hashable, Sendable {
  /// The number of fixes, 1 to 4,096.
  package var count: Int
  /// The fixes, packed (`docs/formats/kept-fixes.md`).
  package var payload: [UInt8]

  /// The most fixes of a chunk: 4,096.
  package static var mostFixes: Int { FixChunk.capacity }

  /// Creates packed fixes.
  package init(count: Int, payload: [UInt8]) { (self.count, self.payload) = (count, payload) }

  /// Packs fixes into as few chunks as possible, so that equal fixes give equal bytes.
  package static func pack(_ fixes: [KeptFix]) -> [PackedFixes] {
    stride(from: 0, to: fixes.count, by: FixChunk.capacity).map { start in
      let part = Array(fixes[start..<min(fixes.count, start + FixChunk.capacity)])
      return PackedFixes(count: part.count, payload: FixChunk.encode(part))
    }
  }

  /// The fixes.
  ///
  /// - Throws: ``PackedBytesError``, also if their number is not ``count``.
  package func fixes() throws -> [KeptFix] {
    let fixes = try payload.withUnsafeBytes { try FixChunk.decode($0) }
    guard fixes.count == count else { throw PackedBytesError.malformed }
    return fixes
  }
}
