/// A file in a zip archive.
public struct ZipMember: Hashable, Sendable {
  /// Its name as the archive has it, folders included. It is only ever shown: nothing is written under it, so that
  /// `../` in it does no harm. It may hold any character.
  public let name: String
  /// Whether it is a folder: there is nothing to read.
  public let isFolder: Bool
  /// Bytes that it expands to, as the archive says; nil where it does not.
  public let expandedBytes: Int?
  /// Why it cannot be read; nil where nothing speaks against it so far.
  public let hindrance: IngestError?

  let method: UInt16
  /// Nil where sum and sizes stand behind the bytes.
  let crc: UInt32?
  let compressedBytes: Int?
  /// Where its local header stands in a directory's archive, its first byte in a stream.
  let position: Int

  /// Methods of compression that are read.
  enum Method {
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
  }

  /// - Parameter trouble: what speaks against reading it beside what its header says.
  init(
    _ header: ZipHeader, name: [UInt8], extra: [UInt8], position: Int, isStreamed: Bool,
    trouble: IngestError? = nil
  ) {
    self.name = ZipName.text(name, isUTF8: header.hasUTF8Name, extra: extra)
    self.position = position
    method = header.method
    let isOpen = isStreamed && header.hasDescriptor
    crc = isOpen ? nil : header.crc
    compressedBytes = isOpen ? nil : Int(exactly: header.compressed)
    expandedBytes = isOpen ? nil : Int(exactly: header.expanded)
    isFolder = name.last == 0x2F && (isOpen ? 0 : header.expanded) == 0
    hindrance = trouble ?? Self.hindrance(header, isOpen: isOpen)
  }

  private static func hindrance(_ header: ZipHeader, isOpen: Bool) -> IngestError? {
    if header.isEncrypted {
      return IngestError(
        code: .unreadable, message: "It is encrypted with a password: unpack the archive first.")
    }
    if header.method != Method.stored, header.method != Method.deflated {
      let name = methodNames[header.method] ?? "method \(header.method)"
      return IngestError(
        code: .unreadable,
        message: "It is compressed with \(name), which Roqua does not read: unpack the archive first.")
    }
    if isOpen, header.method == Method.stored {
      return IngestError(
        code: .unreadable, message: "Its length is not known before the end of the archive: import a file.")
    }
    guard Int(exactly: header.compressed) != nil, Int(exactly: header.expanded) != nil else {
      return IngestError(code: .malformed, message: "It is damaged: its size makes no sense.")
    }
    return nil
  }

  /// Other methods by name (APPNOTE.TXT, 4.4.5).
  private static let methodNames: [UInt16: String] = [
    1: "Shrink", 2: "Reduce", 3: "Reduce", 4: "Reduce", 5: "Reduce", 6: "Implode", 9: "Deflate64",
    10: "PKWARE Implode", 12: "bzip2", 14: "LZMA", 18: "TERSE", 19: "LZ77", 93: "Zstandard", 94: "MP3",
    95: "XZ",
    96: "JPEG", 97: "WavPack", 98: "PPMd", 99: "AES encryption",
  ]
}
