/// Creates zip archives, valid and invalid ones, for tests of readers.
public struct ZipBuilder: Sendable {
  /// A file in an archive, and the form of its headers.
  public struct File: Sendable {
    /// The name in the headers.
    public var name: [UInt8]
    /// The uncompressed content.
    public var contents: [UInt8]
    /// Whether the content is deflated rather than stored.
    public var isDeflated = true
    /// A data descriptor after the content, with the checksum and sizes; nil for none. It may have
    /// a signature, and its sizes have 4 or 8 bytes.
    public var descriptor: (hasSignature: Bool, sizeBytes: Int)?
    /// Whether the sizes and the offset are in zip64 fields.
    public var isZip64 = false
    /// Bits of the general purpose flag, in addition to that of the descriptor.
    public var flags: UInt16 = 0
    /// The method in the headers, if it differs from the real one.
    public var method: UInt16?
    /// The checksum in the headers, if it differs from the real one.
    public var crc: UInt32?
    /// The compressed bytes, if they are not to be created from the content.
    public var packed: [UInt8]?
    /// Extra fields.
    public var extra: [UInt8] = []

    /// Creates a file as common programs write it.
    public init(_ name: String, _ contents: [UInt8]) {
      self.init(name: Array(name.utf8), contents)
    }

    /// Creates a file with arbitrary bytes as its name.
    public init(name: [UInt8], _ contents: [UInt8]) {
      self.name = name
      self.contents = contents
    }
  }

  /// The files, in order.
  public var files: [File] = []
  /// Bytes in front of the archive.
  public var prefix: [UInt8] = []
  /// The comment at the end of the archive.
  public var comment: [UInt8] = []
  /// The number of entries for each file in the directory, all with the same offset.
  public var repetitions = 1

  /// Creates an archive of files.
  public init(_ files: [File] = []) { self.files = files }

  /// Returns the archive and the offset of its directory.
  public func build() -> (bytes: [UInt8], directoryStart: Int) {
    var bytes = prefix
    var directory: [UInt8] = []
    for file in files {
      let offset = bytes.count - prefix.count
      let packed = file.packed ?? (file.isDeflated ? Deflate.raw(file.contents) : file.contents)
      let crc = file.crc ?? Deflate.crc32(file.contents)
      bytes += Self.header(file, crc: crc, packed: packed.count, offset: nil)
      bytes += packed
      if let descriptor = file.descriptor {
        if descriptor.hasSignature { bytes += [0x50, 0x4B, 7, 8] }
        bytes += Self.number(Int(crc), 4) + Self.number(packed.count, descriptor.sizeBytes)
        bytes += Self.number(file.contents.count, descriptor.sizeBytes)
      }
      for _ in 0..<repetitions {
        directory += Self.header(file, crc: crc, packed: packed.count, offset: offset)
      }
    }
    let start = bytes.count
    bytes += directory
    let offset = start - prefix.count
    let count = files.count * repetitions
    let isZip64 = files.contains { $0.isZip64 }
    if isZip64 {
      let record = bytes.count
      bytes += [0x50, 0x4B, 6, 6] + Self.number(44, 8) + Self.number(45, 2) + Self.number(45, 2)
      bytes += Self.number(0, 4) + Self.number(0, 4) + Self.number(count, 8) + Self.number(count, 8)
      bytes += Self.number(directory.count, 8) + Self.number(offset, 8)
      bytes += [0x50, 0x4B, 6, 7] + Self.number(0, 4) + Self.number(record, 8) + Self.number(1, 4)
    }
    bytes += [0x50, 0x4B, 5, 6] + Self.number(0, 4)
    bytes += Self.number(isZip64 ? 0xFFFF : count, 2) + Self.number(isZip64 ? 0xFFFF : count, 2)
    bytes += Self.number(isZip64 ? 0xFFFF_FFFF : directory.count, 4)
    bytes += Self.number(isZip64 ? 0xFFFF_FFFF : offset, 4)
    bytes += Self.number(comment.count, 2) + comment
    return (bytes, start)
  }

  /// The header of a file in the directory, or its local header if `offset` is nil.
  private static func header(_ file: File, crc: UInt32, packed: Int, offset: Int?) -> [UInt8] {
    let isCentral = offset != nil
    // In the local header, numbers that follow in a descriptor are zero.
    let isLater = file.descriptor != nil && !isCentral
    let flags = Int(file.flags) | (file.descriptor == nil ? 0 : 8)
    var extra = file.extra
    if file.isZip64 {
      let sizes = isLater ? [0, 0] : [file.contents.count, packed]
      let numbers = sizes + (offset.map { [$0] } ?? [])
      extra += number(1, 2) + number(numbers.count * 8, 2) + numbers.flatMap { number($0, 8) }
    }
    var bytes: [UInt8] = [0x50, 0x4B] + (isCentral ? [1, 2] + number(45, 2) : [3, 4])
    bytes += number(45, 2) + number(flags, 2)
    bytes += number(Int(file.method ?? (file.isDeflated ? 8 : 0)), 2) + number(0, 4)
    bytes += number(isLater ? 0 : Int(crc), 4)
    bytes += number(file.isZip64 ? 0xFFFF_FFFF : isLater ? 0 : packed, 4)
    bytes += number(file.isZip64 ? 0xFFFF_FFFF : isLater ? 0 : file.contents.count, 4)
    bytes += number(file.name.count, 2) + number(extra.count, 2)
    if let offset {
      bytes += number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4)
      bytes += number(file.isZip64 ? 0xFFFF_FFFF : offset, 4)
    }
    return bytes + file.name + extra
  }

  /// An integer, low byte first.
  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
