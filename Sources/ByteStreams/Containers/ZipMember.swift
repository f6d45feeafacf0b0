/// A file in a zip archive.
package struct ZipMember: Hashable, Sendable {
  /// The path as stored in the archive. It may contain any character, and `../`, so it is for
  /// display only; no file is written under it.
  package let name: String
  /// True for a folder, which has no bytes.
  package let isFolder: Bool
  /// The expanded size as stated by the archive; nil if it is not stated.
  package let expandedBytes: Int?
  /// The reason why the member cannot be read; nil if none is known yet.
  package let obstacle: StreamError?

  let method: UInt16
  /// Nil if checksum and sizes follow the bytes.
  let crc: UInt32?
  let compressedBytes: Int?
  /// The position of its local header in a file, of its first byte in a stream.
  let position: Int

  /// The supported compression methods.
  enum Method {
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
  }

  /// - Parameter conflict: an obstacle that its header does not show.
  init(
    _ header: ZipHeader, name: [UInt8], extra: [UInt8], position: Int, isStreamed: Bool,
    conflict: StreamError? = nil
  ) {
    self.name = ZipName.text(name, isUTF8: header.hasUTF8Name, extra: extra)
    self.position = position
    method = header.method
    let isOpen = isStreamed && header.hasDescriptor
    crc = isOpen ? nil : header.crc
    compressedBytes = isOpen ? nil : Int(exactly: header.compressed)
    expandedBytes = isOpen ? nil : Int(exactly: header.expanded)
    isFolder = name.last == 0x2F && (isOpen ? 0 : header.expanded) == 0
    obstacle = conflict ?? Self.obstacle(header, isOpen: isOpen)
  }

  private static func obstacle(_ header: ZipHeader, isOpen: Bool) -> StreamError? {
    if header.isEncrypted {
      return StreamError(
        code: .unreadable, message: "It is encrypted with a password; unpack the archive first.")
    }
    if header.method != Method.stored, header.method != Method.deflated {
      let name = methodNames[header.method] ?? "method \(header.method)"
      return StreamError(
        code: .unreadable,
        message: "It is compressed with \(name), which is not supported; unpack the archive first.")
    }
    if isOpen, header.method == Method.stored {
      return StreamError(
        code: .unreadable,
        message:
          "Its length is stated only at the end of the archive; unpack the archive first.")
    }
    guard Int(exactly: header.compressed) != nil, Int(exactly: header.expanded) != nil else {
      return StreamError(code: .malformed, message: "It is damaged: its size is impossible.")
    }
    return nil
  }

  /// The names of other methods (APPNOTE.TXT, 4.4.5).
  private static let methodNames: [UInt16: String] = [
    1: "Shrink", 2: "Reduce", 3: "Reduce", 4: "Reduce", 5: "Reduce", 6: "Implode", 9: "Deflate64",
    10: "PKWARE Implode", 12: "bzip2", 14: "LZMA", 18: "TERSE", 19: "LZ77", 93: "Zstandard",
    94: "MP3",
    95: "XZ",
    96: "JPEG", 97: "WavPack", 98: "PPMd", 99: "AES encryption",
  ]
}
