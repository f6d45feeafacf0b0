/// Reads the files in a tar archive, in their order. Not `Sendable`.
///
/// Folders, links and devices are passed over. `docs/formats/containers.md` says what happens to
/// archives that are cut off or damaged.
///
/// - Memory: 64 KiB, and the name of a file.
package final class TarArchive {
  /// A file in the archive.
  package struct Member: Hashable, Sendable {
    /// Its name in the archive, which may have folders; without a `./` or `/` at its start.
    package let name: String
    /// The number of its bytes.
    package let byteCount: Int
    /// Whether only parts of it are stored, so that it cannot be read.
    package let isSparse: Bool
  }

  /// The most bytes of a name, as of a path on Linux and macOS: zeros, of which a longer name might
  /// consist, are packed a thousand to one.
  static let nameBytesAtMost = 4_096
  /// The most bytes of the records about an entry, which may be anything.
  private static let recordBytesAtMost = 1 << 20

  /// Problems of the archive as a whole, so far.
  package private(set) var warnings: [StreamWarning] = []

  private let feed: ByteFeed
  /// The length of an archive that can be read from any position.
  private let byteCount: Int?
  /// The bytes of the present file that were not read yet, and those that fill its last block.
  private var (left, padding) = (0, 0)
  private var entryCount = 0
  private var isEnded = false
  /// Why the bytes of a file could not be read.
  private var failure: StreamError?

  /// Creates an archive whose bytes come from a source.
  ///
  /// - Parameter source: reads the next bytes, up to the buffer's size, and returns their number; 0
  ///   only at the end.
  package init(
    source: @escaping (_ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  ) {
    byteCount = nil
    feed = ByteFeed { (_, buffer) throws(StreamError) in try source(buffer) }
  }

  /// Creates an archive that can be read from any position: what is passed over is not read.
  ///
  /// - Parameters:
  ///   - byteCount: its length.
  ///   - source: reads bytes from a position on, up to the buffer's size, and returns their number;
  ///     0 only at the end.
  package init(
    byteCount: Int,
    source:
      @escaping (_ position: Int, _ buffer: UnsafeMutableRawBufferPointer)
      throws(StreamError) -> Int
  ) {
    self.byteCount = byteCount
    feed = ByteFeed(source: source)
  }

  /// Whether the first bytes of a file, of which 512 are enough, are those of a tar archive.
  package static func begins(with bytes: [UInt8]) -> Bool { TarEntry(bytes) != nil }

  /// Whether the first bytes of a file, of which 512 are enough, are those of a tar archive whose
  /// first header is damaged or cut off.
  package static func beginsDamaged(with bytes: [UInt8]) -> Bool {
    TarEntry.hasMagic(bytes) && !begins(with: bytes)
  }

  /// Passes over what is left of the present file, and returns the next one; nil at the end.
  ///
  /// - Throws: ``StreamError`` if the bytes that follow are not those of an archive, or cannot be
  ///   read.
  package func next() throws(StreamError) -> Member? {
    var (name, records): (String?, TarRecords?) = (nil, nil)
    if let failure { throw failure }
    while !isEnded {
      guard try skipRest(), let entry = try nextEntry() else { return nil }
      entryCount += 1
      guard entryCount <= ZipDirectory.memberLimit else { throw Self.tooMany }
      (left, padding) = (entry.byteCount, TarEntry.paddingBytes(after: entry.byteCount))
      switch entry.kind {
      case .longName:
        guard let bytes = try contents(atMost: Self.nameBytesAtMost + 1) else { return nil }
        name = TarEntry.text(bytes[...])
      case .records:
        guard let bytes = try contents(atMost: Self.recordBytesAtMost) else { return nil }
        guard let found = TarRecords(bytes) else { throw Self.damaged }
        records = found
      case .description: break
      case .file, .other, .skipped, .sparse:
        if entry.kind != .other, let byteCount = records?.byteCount {
          (left, padding) = (byteCount, TarEntry.paddingBytes(after: byteCount))
        }
        let fullName = records?.path ?? name ?? entry.name
        let isSparse = entry.kind == .sparse || records?.isSparse == true
        (name, records) = (nil, nil)
        // Before POSIX, a folder was a file whose name ends in a slash.
        if entry.kind == .other || entry.kind == .skipped || fullName.hasSuffix("/") { continue }
        return Member(name: Self.shortened(fullName), byteCount: left, isSparse: isSparse)
      }
    }
    return nil
  }

  /// Passes the bytes of the present file in pieces to the sink until it returns false.
  package func read(to sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding {
    do {
      while left > 0 {
        guard try feed.fill() else {
          _ = endEarly()
          return .truncated(
            "The archive is cut off inside this file; everything before the cut was read.")
        }
        let piece = UnsafeRawBufferPointer(rebasing: feed.unread.prefix(left))
        let goesOn = sink(piece)
        left -= piece.count
        feed.consume(piece.count)
        if !goesOn { break }
      }
      return StreamEnding()
    } catch {
      failure = error
      return StreamEnding(error: error)
    }
  }

  /// The name without the `./` of the folder that was packed, and without the root.
  private static func shortened(_ name: String) -> String {
    var rest = name.drop { $0 == "/" }
    while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
    return String(rest)
  }

  // MARK: - Blocks

  /// Skips the rest of the present file. Returns false if the archive ends there.
  private func skipRest() throws(StreamError) -> Bool {
    defer { (left, padding) = (0, 0) }
    if try skip(left) {
      // The last block may not be filled if the archive ends.
      guard padding > 0 else { return true }
      if try skip(padding) { return true }
    }
    return endEarly()
  }

  /// Skips bytes. Returns false if the archive ends before.
  private func skip(_ count: Int) throws(StreamError) -> Bool {
    guard let byteCount, count > feed.unread.count else { return try feed.skip(count) }
    guard count <= byteCount - feed.position else { return false }
    feed.seek(to: feed.position + count)
    return true
  }

  /// Reads the header of the next entry; nil at the end.
  private func nextEntry() throws(StreamError) -> TarEntry? {
    guard try feed.fill(TarEntry.blockBytes) else {
      _ = endEarly()
      return nil
    }
    let block = Array(feed.unread.prefix(TarEntry.blockBytes))
    feed.consume(block.count)
    if block.allSatisfy({ $0 == 0 }) {
      isEnded = true
      return nil
    }
    guard let entry = TarEntry(block) else { throw Self.damaged }
    var hasMap = entry.hasMap
    while hasMap {
      guard let map = try feed.take(TarEntry.blockBytes) else {
        _ = endEarly()
        return nil
      }
      hasMap = TarEntry.isMapContinued(map)
    }
    return entry
  }

  /// Reads contents that describe the next entry; nil if the archive ends in them.
  private func contents(atMost limit: Int) throws(StreamError) -> [UInt8]? {
    guard left <= limit else { throw Self.damaged }
    guard let bytes = try feed.take(left) else {
      _ = endEarly()
      return nil
    }
    left = 0
    return bytes
  }

  /// Notes that the archive ends where it should not. Returns false.
  private func endEarly() -> Bool {
    isEnded = true
    warnings.append(
      StreamWarning(
        code: .truncated,
        message: "The tar archive is cut off; everything before the cut was read."))
    return false
  }

  private static let damaged = StreamError(
    code: .malformed, message: "The tar archive is damaged; the files before the damage were read.")

  private static let tooMany = StreamError(
    code: .tooLarge,
    message: "The tar archive has more than \(ZipDirectory.memberLimit) entries; "
      + "reading was stopped.")
}
