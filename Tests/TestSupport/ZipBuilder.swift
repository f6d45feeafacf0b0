/// Makes zip archives, right ones and wrong ones, for tests of what reads them.
public struct ZipBuilder: Sendable {
  /// A file of an archive, and how its headers are to be.
  public struct File: Sendable {
    /// Its name as it stands in the headers.
    public var name: [UInt8]
    /// What it expands to.
    public var contents: [UInt8]
    /// Whether it is deflated; stored otherwise.
    public var isDeflated = true
    /// Whether sum and sizes stand behind it; with or without a signature, with sizes of 4 or 8
    /// bytes.
    public var descriptor: (hasSignature: Bool, sizeBytes: Int)?
    /// Whether sizes and offset stand in zip64 fields.
    public var isZip64 = false
    /// Bits of the general purpose flag beside that of the descriptor.
    public var flags: UInt16 = 0
    /// The method that the headers name instead of the true one.
    public var method: UInt16?
    /// The sum that the headers name instead of the true one.
    public var crc: UInt32?
    /// The packed bytes, where they are not to be made from the contents.
    public var packed: [UInt8]?
    /// Extra fields.
    public var extra: [UInt8] = []

    /// A file as common programs write it.
    public init(_ name: String, _ contents: [UInt8]) {
      self.init(name: Array(name.utf8), contents)
    }

    /// A file whose name is any bytes.
    public init(name: [UInt8], _ contents: [UInt8]) {
      self.name = name
      self.contents = contents
    }
  }

  /// The files, in order.
  public var files: [File] = []
  /// What stands in front of the archive.
  public var prefix: [UInt8] = []
  /// The comment at its end.
  public var comment: [UInt8] = []
  /// How often the directory names each file, at the same place.
  public var repetitions = 1

  /// An archive of some files.
  public init(_ files: [File] = []) { self.files = files }

  /// The archive, and where its directory begins in it.
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

  /// The header of a file in the directory, or in front of its bytes where there is no `offset`.
  private static func header(_ file: File, crc: UInt32, packed: Int, offset: Int?) -> [UInt8] {
    let isCentral = offset != nil
    // In front of the bytes, numbers that follow in a descriptor are zero.
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

  /// A whole number, low byte first.
  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
