import ByteStreams
import Foundation
import TrackIngest

/// An open file, or standard input, that an import reads. Not `Sendable`.
final class InputFile {
  /// The length of a regular file, which can be read from any position and repeatedly; nil for a
  /// pipe and the like.
  let byteCount: Int?
  /// The kind according to the first bytes: an archive, compressed, or neither.
  private(set) var kind = ContentKind.empty
  /// Whether the file is a tar archive, also one that is compressed with gzip.
  private(set) var isTar = false
  /// The leading bytes, which show it.
  private var head: [UInt8] = []
  /// The leading bytes of an archive, expanded.
  private var archiveHead: [UInt8]?
  /// Whether bytes that are read count as progress.
  var isCounting = true

  /// The number of leading bytes that identify zip archives and compressed files.
  private static let signatureBytes = 4
  /// The number of leading bytes that identify tar archives. The header of a compressed one takes
  /// fewer than its 512 bytes.
  private static let headBytes = 1_024

  /// The number of bytes read so far, which exceeds the size if some were read twice.
  private(set) var bytesRead = 0
  private let meter: ImportMeter?
  private let descriptor: Int32
  private let closes: Bool
  /// The leading bytes of a pipe that were not returned yet.
  private var unreadHead: ArraySlice<UInt8> = []

  /// Opens a file.
  ///
  /// - Parameter meter: counts every byte that is read.
  /// - Throws: ``IngestError`` if the file does not exist or cannot be read.
  init(_ file: FoundFile, meter: ImportMeter? = nil) throws(IngestError) {
    self.meter = meter
    closes = file.systemPath != nil
    descriptor = file.systemPath.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw FoundFile.error(errno) }
    var status = stat()
    // Standard input may be a file that another process has partly read.
    let isWhole =
      fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && lseek(descriptor, 0, SEEK_CUR) == 0
    byteCount = isWhole ? Int(status.st_size) : nil
    do { head = try firstBytes(Self.headBytes) } catch { throw IngestError(error) }
    kind = head.prefix(Self.signatureBytes).withUnsafeBytes { ContentKind(prefix: $0) }
    let plain = kind == .gzip ? Self.expanded(head) : head
    isTar = TarArchive.begins(with: plain)
    if isTar { archiveHead = plain } else if kind == .zip { archiveHead = head }
    if byteCount == nil { unreadHead = head[...] }
  }

  deinit { if closes { close(descriptor) } }

  /// The leading bytes by which an archive is recognized; nil for one that unpacks itself.
  var archiveEvidence: ContentEvidence? {
    archiveHead.flatMap { $0.withUnsafeBytes { ContentEvidence(prefix: $0) } }
  }

  /// What the first bytes of a gzip stream expand to, as far as that is needed.
  private static func expanded(_ head: [UInt8]) -> [UInt8] {
    var decompressor = Decompressor()
    var bytes: [UInt8] = []
    _ = head.withUnsafeBytes { head in
      decompressor.read(head) { piece in
        bytes.append(contentsOf: piece.prefix(headBytes - bytes.count))
        return bytes.count < headBytes
      }
    }
    return bytes
  }

  /// Reports the file to the meter as finished, once. Bytes that were not read are included; those
  /// read twice count once.
  func settle() {
    if let byteCount { meter?.add(bytes: byteCount - bytesRead) }
  }

  /// Reads bytes from a position of a regular file, up to the buffer's size. Returns their number;
  /// 0 at the end.
  func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  {
    try retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(position)) }
  }

  /// Reads the next bytes of a pipe, up to the buffer's size. Returns their number; 0 at the end.
  func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int {
    guard unreadHead.isEmpty else {
      let count = min(buffer.count, unreadHead.count)
      buffer.copyBytes(from: unreadHead.prefix(count))
      unreadHead = unreadHead.dropFirst(count)
      return count
    }
    return try retrying { Foundation.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Passes all bytes in pieces to `sink`. A regular file is read from its start; of a pipe, what
  /// was not read yet.
  ///
  /// Sound: `count` is at most the size of the buffer, which is freed at the end of this function;
  /// a piece is valid only during a call of `sink`.
  func readAll(to sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FileDecoder.chunkBytes, alignment: 16)
    defer { buffer.deallocate() }
    var position = 0
    do {
      while true {
        let count = try byteCount == nil ? readNext(into: buffer) : read(at: position, into: buffer)
        guard count > 0, sink(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
          return StreamEnding()
        }
        position += count
      }
    } catch {
      return StreamEnding(error: error)
    }
  }

  /// The little-endian number in the last 4 bytes of a regular file: in gzip the length of the
  /// contents.
  var lastNumber: Int? {
    guard let byteCount, byteCount >= 4 else { return nil }
    var number: UInt32 = 0
    let count = withUnsafeMutableBytes(of: &number) { try? read(at: byteCount - 4, into: $0) }
    return count == 4 ? Int(UInt32(littleEndian: number)) : nil
  }

  private func firstBytes(_ count: Int) throws(StreamError) -> [UInt8] {
    // Sound: each read gets the rest of the buffer, and the bytes are copied before it is freed.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    var filled = 0
    while filled < count {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let more = try byteCount == nil ? readNext(into: room) : read(at: filled, into: room)
      if more == 0 { break }
      filled += more
    }
    return Array(buffer[..<filled])
  }

  private func retrying(_ call: () -> Int) throws(StreamError) -> Int {
    while true {
      let count = call()
      if count >= 0 {
        if isCounting {
          bytesRead += count
          meter?.add(bytes: count)
        }
        return count
      }
      guard errno == EINTR else {
        throw StreamError(code: .unreadable, message: FoundFile.error(errno).message)
      }
    }
  }
}
