import ByteStreams
import GridHash

/// A digest of each square of 64 × 64 cells: which squares have changed since tiles were written.
///
/// Bytes: `ROQTILES`; a SHA-256 of whatever else the tiles depend on; the number of squares; for
/// each the key and the digest; the CRC-32 of all this. Numbers are little-endian, 8 bytes each,
/// the last one 4.
package struct SquareDigests: Hashable, Sendable {
  private static let magic = Array("ROQTILES".utf8)
  private static let headBytes = 48

  /// What else the tiles depend on, as 32 bytes.
  package let purpose: [UInt8]
  private var keys: [Int64] = []
  private var digests: [UInt64] = []

  /// The digests of a coverage as it is now.
  ///
  /// - Parameter purpose: a description of whatever else the tiles depend on.
  package init(_ coverage: Coverage, purpose: String) {
    self.purpose = Self.hash(purpose, coverage.grid)
    keys = coverage.tileKeys
    digests.reserveCapacity(keys.count)
    var rows = [UInt64](repeating: 0, count: 64)
    rows.withUnsafeMutableBufferPointer { rows in
      for key in keys {
        _ = coverage.copyTile(at: key, into: rows)
        digests.append(Self.digest(rows))
      }
    }
  }

  /// Reads the bytes of ``bytes``; nil if they are not such bytes, or damaged.
  package init?(_ bytes: [UInt8]) {
    func number(_ at: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
    }
    guard bytes.count >= Self.headBytes + 4, bytes.starts(with: Self.magic) else { return nil }
    purpose = Array(bytes[8..<40])
    let (pairs, rest) = (bytes.count - Self.headBytes - 4).quotientAndRemainder(dividingBy: 16)
    guard rest == 0, number(40) == UInt64(pairs),
      Array(bytes.suffix(4)) == Self.checksum(Array(bytes.dropLast(4)))
    else { return nil }
    keys.reserveCapacity(pairs)
    digests.reserveCapacity(pairs)
    for pair in 0..<pairs {
      let key = Int64(bitPattern: number(Self.headBytes + 16 * pair))
      if let last = keys.last, last >= key { return nil }
      keys.append(key)
      digests.append(number(Self.headBytes + 16 * pair + 8))
    }
  }

  /// The bytes to keep.
  package var bytes: [UInt8] {
    var bytes = Self.magic + purpose
    bytes.reserveCapacity(Self.headBytes + 16 * keys.count + 4)
    func append(_ number: UInt64) {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    append(UInt64(keys.count))
    for (key, digest) in zip(keys, digests) {
      append(UInt64(bitPattern: key))
      append(digest)
    }
    return bytes + Self.checksum(bytes)
  }

  /// The keys of the squares that differ, ascending; nil if the purposes differ, and so all do.
  ///
  /// - Parameters:
  ///   - purposes: other purposes that the old tiles may have had, described as in the initializer.
  ///   - grid: the grid of the coverage.
  package func changes(
    since old: SquareDigests, orWithPurpose purposes: [String] = [], grid: Grid = .standard
  ) -> [Int64]? {
    guard purpose == old.purpose || purposes.contains(where: { Self.hash($0, grid) == old.purpose })
    else { return nil }
    var changed: [Int64] = []
    var (mine, theirs) = (0, 0)
    while mine < keys.count || theirs < old.keys.count {
      if theirs == old.keys.count || mine < keys.count && keys[mine] < old.keys[theirs] {
        changed.append(keys[mine])
        mine += 1
      } else if mine == keys.count || old.keys[theirs] < keys[mine] {
        changed.append(old.keys[theirs])
        theirs += 1
      } else {
        if digests[mine] != old.digests[theirs] { changed.append(keys[mine]) }
        mine += 1
        theirs += 1
      }
    }
    return changed
  }

  private static func hash(_ purpose: String, _ grid: Grid) -> [UInt8] {
    var hash = SHA256()
    Array("\(grid.explorationRadiusMillimeters) \(purpose)".utf8).withUnsafeBytes {
      hash.update($0)
    }
    return hash.finalize()
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    let checksum = bytes.withUnsafeBytes { CRC32.continued(0, with: $0) }
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: checksum >> UInt32($0)) }
  }

  /// Two squares that differ get the same digest with a probability of about 2^-64.
  private static func digest(_ rows: UnsafeMutableBufferPointer<UInt64>) -> UInt64 {
    var digest: UInt64 = 0x9E37_79B9_7F4A_7C15
    for row in rows {
      let product = (digest ^ row).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      digest = (product.high ^ product.low) &+ 0x2545_F491_4F6C_DD1D
    }
    return digest
  }
}
