/// The central directory of a zip archive, at the end of the file: its members and their positions.
/// Not `Sendable`.
///
/// - Memory: 8 bytes per member, ``memberLimit`` at most, and a window of 64 KiB.
struct ZipDirectory {
  /// The maximum number of members; an archive with more is refused. Exports of many years have
  /// thousands.
  static let memberLimit = 1_000_000
  /// In an archive with cut offsets, the maximum number of positions that are searched beyond the
  /// first one of each member. The directory is read twice, with this limit each time.
  static let furtherLimit = 100_000
  /// The maximum length of an archive comment, and so of the search for the end record from the end
  /// of the file.
  private static let commentLimit = 65_535

  private let feed: ByteFeed
  /// Reads local headers, to find those of an archive whose offsets are cut; nil for any other.
  private let locals: ByteFeed?
  /// The position behind the local header that `locals` found last.
  private var lastLocal = 0
  /// The number of further positions that were searched so far.
  private var furtherCount = 0
  /// The bytes after which offsets begin again at 0 if the writer does not know zip64.
  private let lap: Int
  /// The number of bytes before the archive, as in a self-extracting one. Offsets count from after
  /// them.
  private let base: Int
  private let first: Int
  private let end: Int
  private var next: Int
  /// The positions of the local headers, sorted; that of the directory is the last.
  private var positions: [Int] = []

  /// Finds the directory; nil if it is missing (a truncated archive) or damaged.
  ///
  /// - Parameter lap: the bytes after which offsets begin again at 0; smaller in tests.
  /// - Throws: ``StreamError`` if the file cannot be read, is a part of a split archive or has too
  ///   many members.
  init?(
    byteCount: Int, lap: Int = 1 << 32, source: @escaping ByteFeed.Source
  ) throws(StreamError) {
    let feed = ByteFeed(source: source)
    guard let record = try Self.endRecord(feed, byteCount: byteCount) else { return nil }
    var (base, isCut) = (record.base, false)
    if base > 0 {
      feed.seek(to: 0)
      let head = try feed.fill(4) ? Array(feed.unread.prefix(4)) : []
      if !head.isEmpty, head.number(at: 0, count: 4) == ZipHeader.Signature.local {
        // A file that begins as an archive has none behind other bytes. Either its offsets are cut
        // to 4 bytes, or it is cut off behind a stored archive in it, whose directory this is.
        guard base.isMultiple(of: lap) else { return nil }
        (base, isCut) = (0, true)
      }
    }
    self.feed = feed
    self.lap = lap
    locals = isCut ? ByteFeed(windowBytes: 1 << 10, source: source) : nil
    (self.base, first, end) = (base, record.start, record.start + record.count)
    next = first
    while let (header, position) = try nextHeader() {
      guard positions.count < Self.memberLimit else {
        throw StreamError(
          code: .tooLarge,
          message: "It is an archive of more than \(Self.memberLimit) files; unpack it first.")
      }
      positions.append(position)
      next += ZipHeader.centralBytes + header.nameBytes + header.extraBytes + header.commentBytes
    }
    // A directory that does not reach its end is damaged: entries are missing.
    guard try isAtEnd() else { return nil }
    positions.append(first)
    positions.sort()
    (next, lastLocal, furtherCount) = (first, 0, 0)
  }

  /// The next member in the order of the directory; nil after the last.
  mutating func nextMember() throws(StreamError) -> ZipMember? {
    guard let (header, position) = try nextHeader(), try feed.skip(ZipHeader.centralBytes),
      let name = try feed.take(header.nameBytes), let extra = try feed.take(header.extraBytes)
    else { return nil }
    var whole = header
    whole.takeZip64(from: extra)
    next += ZipHeader.centralBytes + header.nameBytes + header.extraBytes + header.commentBytes
    return ZipMember(
      whole, name: name, extra: extra, position: position, isStreamed: false,
      conflict: overlaps(whole, at: position)
        ? StreamError(
          code: .malformed,
          message: "It is damaged: it overlaps another file of the archive.")
        : nil)
  }

  /// Returns true if a member overlaps the next one, as in a bomb that lists the same bytes many
  /// times. Only the fixed part of the local header is counted, so that no valid member is refused.
  private func overlaps(_ header: ZipHeader, at position: Int) -> Bool {
    let following = positions.partitionIndex { $0 > position }
    guard following < positions.count, let count = Int(exactly: header.compressed) else {
      return false
    }
    let (last, overflow) = (position + ZipHeader.localBytes).addingReportingOverflow(count)
    let isShared = following >= 2 && positions[following - 2] == position
    return overflow || last > positions[following] || isShared
  }

  /// Returns true if the directory ends here, except for a digital signature (APPNOTE.TXT 4.3.13).
  private func isAtEnd() throws(StreamError) -> Bool {
    guard next != end else { return true }
    feed.seek(to: next)
    guard next + 4 <= end, try feed.fill(4) else { return false }
    return Array(feed.unread.prefix(4)).number(at: 0, count: 4) == ZipHeader.Signature.digital
  }

  /// The fixed part of the header at `next`, and the position of the member's local header.
  private mutating func nextHeader() throws(StreamError) -> (ZipHeader, Int)? {
    feed.seek(to: next)
    guard next + ZipHeader.centralBytes <= end, try feed.fill(ZipHeader.centralBytes) else {
      return nil
    }
    let bytes = Array(feed.unread.prefix(ZipHeader.centralBytes))
    guard bytes.number(at: 0, count: 4) == ZipHeader.Signature.central else { return nil }
    var header = ZipHeader(central: bytes)
    let room = ZipHeader.centralBytes + header.nameBytes
    if header.offset == 0xFFFF_FFFF {
      feed.seek(to: next + room)
      guard let extra = try feed.take(header.extraBytes) else { return nil }
      var whole = header
      whole.takeZip64(from: extra)
      header.offset = whole.offset
      feed.seek(to: next)
    }
    // An impossible offset has no local header: the member is refused when it is read.
    let offset = min(Int(exactly: header.offset) ?? .max / 2, .max / 2)
    if let locals, offset < lap {
      return (header, try position(of: header, offset, locals) ?? .max / 2)
    }
    return (header, base + offset)
  }

  /// The position of the member at `next` in an archive whose offsets are cut to 4 bytes: the first
  /// one behind the member before it where a local header has the member's name, or else the first
  /// one of the file; nil if no local header has it, or ``furtherLimit`` is reached.
  private mutating func position(
    of header: ZipHeader, _ offset: Int, _ locals: ByteFeed
  ) throws(StreamError) -> Int? {
    feed.seek(to: next + ZipHeader.centralBytes)
    guard let name = try feed.take(header.nameBytes) else { return nil }
    feed.seek(to: next)
    var start = lastLocal / lap * lap + offset
    if start < lastLocal { start += lap }
    for (from, end) in [(start, first), (offset, min(start, first))] {
      for position in stride(from: from, to: end, by: lap) {
        if position != start {
          guard furtherCount < Self.furtherLimit else { return nil }
          furtherCount += 1
        }
        locals.seek(to: position)
        if let bytes = try locals.take(ZipHeader.localBytes),
          bytes.number(at: 0, count: 4) == ZipHeader.Signature.local,
          ZipHeader(local: bytes).nameBytes == name.count, try locals.take(name.count) == name
        {
          lastLocal = position + ZipHeader.localBytes + name.count
          return position
        }
      }
    }
    return nil
  }

  // MARK: - The end of the archive

  private struct EndRecord {
    var base: Int
    var start: Int
    var count: Int
  }

  /// Searches the end record backwards, and follows it to the directory.
  private static func endRecord(
    _ feed: ByteFeed, byteCount: Int
  ) throws(StreamError) -> EndRecord? {
    let tailStart = max(
      0, byteCount - commentLimit - ZipHeader.endBytes - ZipHeader.zip64LocatorBytes)
    feed.seek(to: tailStart)
    guard let tail = try feed.take(byteCount - tailStart) else { return nil }
    // The comment must fit: preferably exactly, otherwise with other bytes after it.
    for isExact in [true, false] {
      var at = tail.count - ZipHeader.endBytes
      while at >= 0 {
        defer { at -= 1 }
        guard tail[at] == 0x50, tail.number(at: at, count: 4) == ZipHeader.Signature.end else {
          continue
        }
        let end = at + ZipHeader.endBytes + Int(tail.number(at: at + 20, count: 2))
        guard isExact ? end == tail.count : end < tail.count else { continue }
        if let record = try endRecord(feed, tail: tail, at: at, tailStart: tailStart) {
          return record
        }
      }
    }
    return nil
  }

  private static func endRecord(
    _ feed: ByteFeed, tail: [UInt8], at index: Int, tailStart: Int
  ) throws(StreamError) -> EndRecord? {
    var disk = tail.number(at: index + 4, count: 2)
    var count = tail.number(at: index + 12, count: 4)
    var offset = tail.number(at: index + 16, count: 4)
    var endOfDirectory = tailStart + index
    let locator = index - ZipHeader.zip64LocatorBytes
    if locator >= 0, tail.number(at: locator, count: 4) == ZipHeader.Signature.zip64Locator,
      let position = Int(exactly: tail.number(at: locator + 8, count: 8)),
      position < tailStart + locator
    {
      feed.seek(to: position)
      guard let record = try feed.take(ZipHeader.zip64EndBytes),
        record.number(at: 0, count: 4) == ZipHeader.Signature.zip64End
      else { return nil }
      disk = record.number(at: 16, count: 4)
      count = record.number(at: 40, count: 8)
      offset = record.number(at: 48, count: 8)
      endOfDirectory = position
    }
    guard disk == 0 else {
      throw StreamError(
        code: .unreadable,
        message: "It is part of a split archive; join the parts and unpack them first.")
    }
    guard let count = Int(exactly: count), let offset = Int(exactly: offset),
      count <= endOfDirectory
    else {
      return nil
    }
    // The directory ends where its end record begins; a difference means bytes before the archive.
    for start in [endOfDirectory - count, offset] where start >= 0 && start <= endOfDirectory {
      let base = start - offset
      guard base >= 0 else { continue }
      if count == 0 { return EndRecord(base: base, start: start, count: 0) }
      feed.seek(to: start)
      if try feed.fill(4),
        Array(feed.unread.prefix(4)).number(at: 0, count: 4) == ZipHeader.Signature.central
      {
        return EndRecord(base: base, start: start, count: min(count, endOfDirectory - start))
      }
    }
    return nil
  }
}

extension [Int] {
  /// The first index whose element meets a condition that all later elements meet too. O(log
  /// count).
  fileprivate func partitionIndex(where condition: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
