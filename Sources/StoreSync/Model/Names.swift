/// The name of a source in a sync folder: an HMAC of its SHA-256, so that nobody without the
/// folder's key recognizes the source.
package struct SourceName: SixteenByteName {
  /// The first 8 bytes.
  package let high: UInt64
  /// The last 8 bytes.
  package let low: UInt64

  /// Creates a name.
  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// The first 16 bytes of the SHA-256 of a content: of a piece, or of a row.
package struct Digest: SixteenByteName {
  /// The first 8 bytes.
  package let high: UInt64
  /// The last 8 bytes.
  package let low: UInt64

  /// Creates a digest.
  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// The name of a privacy zone: 16 random bytes, so that a zone is the same one on all devices.
package struct ZoneName: SixteenByteName {
  /// The first 8 bytes.
  package let high: UInt64
  /// The last 8 bytes.
  package let low: UInt64

  /// Creates a name.
  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// The name of a device: 8 random bytes.
package struct DeviceName: EightByteName {
  /// The bytes as a number, the first byte highest.
  package let number: UInt64

  /// Creates a name.
  package init(number: UInt64) { self.number = number }
}

/// The name of a file: the first 8 bytes of an HMAC of its payload.
package struct FileName: EightByteName {
  /// The bytes as a number, the first byte highest.
  package let number: UInt64

  /// Creates a name.
  package init(number: UInt64) { self.number = number }
}

/// A source file as a manifest names it.
package struct FileReference: Hashable, Comparable, Sendable {
  /// Its name, which follows the name of the source.
  package var name: FileName
  /// Its size in the folder, in bytes.
  package var byteCount: UInt64

  /// Creates a reference.
  package init(name: FileName, byteCount: UInt64) {
    (self.name, self.byteCount) = (name, byteCount)
  }

  /// The order by name, then size.
  package static func < (left: Self, right: Self) -> Bool {
    (left.name, left.byteCount) < (right.name, right.byteCount)
  }
}
