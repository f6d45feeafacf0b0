/// Reads the members of a zip archive in order, without writing anything to disk. Not `Sendable`.
///
/// A file is read by its central directory; a stream, or a file whose directory is missing, by the
/// local headers before the members. The directory of a stream is only checked to be complete.
/// `docs/formats/containers.md` lists what is read and what is refused;
/// `docs/decisions/zip-reader.md` says why this reader exists.
///
/// A member that is itself an archive is read by ``archive(in:)``, in place.
///
/// - Memory: under 512 KiB and 8 bytes per member, whatever the members expand to; as much again
///   for an archive in a member.
package final class ZipArchive {
  private enum Layout {
    case directory(ZipDirectory)
    case stream
  }

  /// The warnings about the archive as a whole, complete once ``next()`` has returned nil.
  package private(set) var warnings: [StreamWarning] = []
  /// True if members can be read more than once and in any order.
  package var canReadAgain: Bool { if case .directory = layout { true } else { false } }

  /// True if the archive should have a directory and has none that can be read: it is in a file, or
  /// stored in one.
  package var hasLostDirectory: Bool { file != nil && !canReadAgain }

  private var layout: Layout
  private let feed: ByteFeed
  /// Reads bytes of a file from any position; nil for a stream.
  private let file: ByteFeed.Source?
  /// The length of the file; 0 for a stream.
  private let fileBytes: Int
  private let inflater = InflateStream(.none)
  /// What all members may still expand to, and the archives and gzip streams in them.
  package let budget: ExpansionBudget
  /// True if the bytes of the archive are not those of another one, so that they extend the budget.
  private let isOutermost: Bool
  /// The member of a stream that ``next()`` returned last, until it is read.
  private var pending: ZipMember?
  /// The member that is being read, and the expanded bytes in the inflater's buffer that were not
  /// passed on yet.
  private var extraction: ZipExtraction?
  private var waiting = 0..<0
  private var hasEnded = false

  /// Creates a reader of an archive in a file.
  ///
  /// - Parameters:
  ///   - byteCount: the length of the file.
  ///   - lap: the bytes after which offsets of a writer that does not know zip64 begin again at 0;
  ///     smaller in tests.
  ///   - source: reads bytes of the file from a position on, possibly fewer than asked for, 0 only
  ///     at the end.
  /// - Throws: any error of `source`; ``StreamError`` for a part of a split archive or too many
  ///   members.
  package convenience init(
    byteCount: Int, lap: Int = 1 << 32,
    source:
      @escaping (_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) ->
      Int
  ) throws(StreamError) {
    try self.init(byteCount: byteCount, lap: lap, source: source, within: nil)
  }

  /// - Parameter budget: that of the archive that contains this one; nil for none.
  private init(
    byteCount: Int, lap: Int = 1 << 32, source: @escaping ByteFeed.Source,
    within budget: ExpansionBudget?
  ) throws(StreamError) {
    feed = ByteFeed(source: source)
    file = source
    fileBytes = byteCount
    isOutermost = budget == nil
    self.budget = budget ?? ExpansionBudget(byteCount: byteCount)
    if let directory = try ZipDirectory(byteCount: byteCount, lap: lap, source: source) {
      layout = .directory(directory)
    } else {
      layout = .stream
      warnOfDirectory()
    }
  }

  /// Creates a reader of an archive in a stream. `source` reads the next bytes, possibly fewer than
  /// asked for, 0 only at the end.
  package convenience init(
    stream source: @escaping (_ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  ) {
    self.init(stream: source, within: nil)
  }

  private init(
    stream source: @escaping (_ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int,
    within budget: ExpansionBudget?
  ) {
    feed = ByteFeed { (_, buffer) throws(StreamError) in try source(buffer) }
    file = nil
    fileBytes = 0
    isOutermost = budget == nil
    self.budget = budget ?? ExpansionBudget(byteCount: 0)
    layout = .stream
  }

  /// The next member, folders included, in the order of the archive; nil after the last.
  package func next() throws(StreamError) -> ZipMember? {
    guard !hasEnded else { return nil }
    let member: ZipMember?
    switch layout {
    case .directory(var directory):
      member = try directory.nextMember()
      layout = .directory(directory)
    case .stream: member = try nextInStream()
    }
    if member == nil { hasEnded = true }
    return member
  }

  /// Reads a member. In a stream, only the member that ``next()`` returned last can be read, and
  /// only once.
  ///
  /// - Parameter sink: receives the member's bytes in non-empty pieces. Returns false to stop; the
  ///   rest is then not checked.
  /// - Returns: the warnings, or the reason why the output must be discarded.
  package func read(
    _ member: ZipMember, to sink: (UnsafeRawBufferPointer) -> Bool
  ) -> StreamEnding {
    do {
      if let refusal = try start(member) { return refusal }
      defer { extraction = nil }
      guard case .stream = layout else { return extract(to: sink) }
      return try readInStream(member, to: sink)
    } catch {
      return StreamEnding(error: error)
    }
  }

  // MARK: - Members

  /// The first bytes of a member, at most 64 KiB, by which its kind can be detected: fewer if it
  /// ends before or cannot be read. They are part of what is read afterwards.
  package func head(of member: ZipMember, count: Int) -> [UInt8] {
    // What cannot be read is left to `read`, which says why.
    guard member.obstacle == nil, (try? start(member)) == nil else { return [] }
    while waiting.count < count, waiting.upperBound < inflater.buffer.count {
      let more = takeMore(
        into: UnsafeMutableRawBufferPointer(rebasing: inflater.buffer[waiting.upperBound...]))
      guard more > 0 else { break }
      waiting = waiting.lowerBound..<waiting.upperBound + more
    }
    return Array(inflater.buffer[waiting].prefix(count))
  }

  /// A reader of the archive that a member is. While it is used, this archive must not be. Read the
  /// member afterwards with ``end(_:)``.
  ///
  /// The members of a stored archive in a file are read by its directory, others by the headers in
  /// front of them.
  ///
  /// - Throws: ``StreamError`` for a part of a split archive or too many members.
  package func archive(in member: ZipMember) throws(StreamError) -> ZipArchive {
    if case .directory = layout, member.method == ZipMember.Method.stored, member.obstacle == nil,
      let file, let byteCount = member.compressedBytes, byteCount == member.expandedBytes,
      // The length is what the directory says, up to `Int.max`.
      try seekToBytes(of: member), byteCount <= fileBytes - feed.position
    {
      extraction = nil
      let start = feed.position
      return try ZipArchive(
        byteCount: byteCount,
        source: { (position, buffer) throws(StreamError) in
          guard position < byteCount else { return 0 }
          let room = UnsafeMutableRawBufferPointer(
            rebasing: buffer.prefix(byteCount - position))
          return try file(start + position, room)
        }, within: budget)
    }
    return ZipArchive(
      stream: { [self] (buffer) throws(StreamError) in
        try start(member) == nil ? take(into: buffer) : 0
      }, within: budget)
  }

  /// Ends a member whose archive was read: reads the rest of its bytes and checks all of them.
  /// Those of a stored archive in a file are not read again, since its members have checksums.
  ///
  /// - Returns: the warnings, or the reason why the member is damaged.
  package func end(_ member: ZipMember) -> StreamEnding {
    extraction?.member == member ? read(member) { _ in true } : StreamEnding()
  }

  /// Starts to read a member, unless it was started before.
  ///
  /// - Returns: nil, or the reason why it cannot be read.
  private func start(_ member: ZipMember) throws(StreamError) -> StreamEnding? {
    guard extraction?.member != member else { return nil }
    (extraction, waiting) = (nil, 0..<0)
    switch layout {
    case .directory:
      if let obstacle = member.obstacle { return StreamEnding(error: obstacle) }
      guard try seekToBytes(of: member) else {
        return .damaged("It is damaged: it is not where the archive's directory says.")
      }
    case .stream:
      guard pending == member else {
        return .damaged("Members of a stream are read once and in order.")
      }
      if let obstacle = member.obstacle {
        pending = nil
        try skipRest(of: member)
        return StreamEnding(error: obstacle)
      }
      pending = nil
    }
    inflater.reset()
    extraction = ZipExtraction(member)
    return nil
  }

  private func seekToBytes(of member: ZipMember) throws(StreamError) -> Bool {
    feed.seek(to: member.position)
    guard let bytes = try feed.take(ZipHeader.localBytes),
      bytes.number(at: 0, count: 4) == ZipHeader.Signature.local
    else { return false }
    let header = ZipHeader(local: bytes)
    return try feed.skip(header.nameBytes + header.extraBytes)
  }

  /// Expands more bytes of the member. Returns their number; 0 at its end.
  private func takeMore(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if isOutermost, case .stream = layout { budget.grant(byteCount: feed.position) }
    return extraction?.read(into: buffer, from: feed, with: inflater, within: budget) ?? 0
  }

  /// Takes the next bytes of the member, up to the size of `buffer`. Returns their number; 0 at its
  /// end.
  private func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !waiting.isEmpty else { return takeMore(into: buffer) }
    let piece = inflater.buffer[waiting].prefix(buffer.count)
    // Sound: the piece fits into the buffer.
    buffer.copyBytes(from: piece)
    waiting = waiting.lowerBound + piece.count..<waiting.upperBound
    return piece.count
  }

  /// Passes the rest of the member to `sink`; if that stops, the ending is empty.
  private func extract(to sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding {
    while true {
      if waiting.isEmpty { waiting = 0..<takeMore(into: inflater.buffer) }
      guard !waiting.isEmpty else { return extraction?.ending ?? StreamEnding() }
      // Sound: the piece is valid until more is expanded, which no sink does.
      let piece = UnsafeRawBufferPointer(rebasing: inflater.buffer[waiting])
      waiting = 0..<0
      guard sink(piece) else { return StreamEnding() }
    }
  }

  // MARK: - Streams

  private func nextInStream() throws(StreamError) -> ZipMember? {
    if let member = pending ?? extraction?.member {
      _ = read(member) { _ in true }
      guard !hasEnded else { return nil }
    }
    guard try feed.fill(4) else {
      endEarly()
      return nil
    }
    var signature = Array(feed.unread.prefix(4)).number(at: 0, count: 4)
    if feed.position == 0, signature == ZipHeader.Signature.descriptor || signature == 0x3030_4B50 {
      feed.consume(4)  // the marker of an archive that was meant to be split
      guard try feed.fill(4) else { return nil }
      signature = Array(feed.unread.prefix(4)).number(at: 0, count: 4)
    }
    switch signature {
    case ZipHeader.Signature.local: break
    case ZipHeader.Signature.central, ZipHeader.Signature.end, ZipHeader.Signature.extraData,
      ZipHeader.Signature.zip64End:
      // A file without a directory was reported when it was opened.
      if file == nil, try !ZipDirectory.skip(feed) { warnOfDirectory() }
      return nil
    default:
      endEarly()
      return nil
    }
    guard let bytes = try feed.take(ZipHeader.localBytes) else {
      endEarly()
      return nil
    }
    var header = ZipHeader(local: bytes)
    guard let name = try feed.take(header.nameBytes), let extra = try feed.take(header.extraBytes)
    else {
      endEarly()
      return nil
    }
    header.takeZip64(from: extra)
    pending = ZipMember(header, name: name, extra: extra, position: feed.position, isStreamed: true)
    return pending
  }

  /// Reads a member to its end even if the sink stops, so that the next one is found.
  private func readInStream(
    _ member: ZipMember, to sink: (UnsafeRawBufferPointer) -> Bool
  ) throws(StreamError) -> StreamEnding {
    var wantsMore = true
    var ending = extract { piece in
      if wantsMore { wantsMore = sink(piece) }
      return wantsMore || member.compressedBytes == nil
    }
    if member.compressedBytes != nil {
      try skipRest(of: member)
    } else if ending != StreamEnding() {
      endEarly()  // without a length the next member cannot be found
    } else if try !takeDescriptor() {
      ending =
        try feed.fill(Self.longestDescriptorBytes)
        ? ZipExtraction.mismatch
        : .truncated("The archive is cut off right after this file; the file was read to its end.")
      endEarly()
    }
    return wantsMore ? ending : StreamEnding()
  }

  /// Skips to the end of a member.
  private func skipRest(of member: ZipMember) throws(StreamError) {
    guard let count = member.compressedBytes else {
      return endEarly(
        "The archive states the length of a file only at its end; the files after that one were "
          + "not found: unpack the archive first.")
    }
    // The count is what the archive says, up to `Int.max`: a sum of it could overflow.
    if try !feed.skip(count - (feed.position - member.position)) { endEarly() }
  }

  /// A signature, a checksum and two sizes of 8 bytes. In a complete archive the directory follows.
  private static let longestDescriptorBytes = 24

  /// Reads the checksum and sizes after a member. The signature is optional, and the sizes have 4
  /// or 8 bytes: the form that matches the member is used.
  private func takeDescriptor() throws(StreamError) -> Bool {
    guard let result = extraction else { return false }
    for hasSignature in [true, false] {
      for sizeBytes in [4, 8] {
        let start = hasSignature ? 4 : 0
        let count = start + 4 + 2 * sizeBytes
        guard try feed.fill(count) else { continue }
        let bytes = Array(feed.unread.prefix(count))
        if hasSignature, bytes.number(at: 0, count: 4) != ZipHeader.Signature.descriptor {
          continue
        }
        let mask = sizeBytes == 4 ? UInt64(UInt32.max) : .max
        guard bytes.number(at: start, count: 4) == UInt64(result.crc),
          bytes.number(at: start + 4, count: sizeBytes) == UInt64(result.compressedBytes) & mask,
          bytes.number(at: start + 4 + sizeBytes, count: sizeBytes) == UInt64(result.expandedBytes)
            & mask
        else { continue }
        feed.consume(count)
        return true
      }
    }
    return false
  }

  /// Warns that an archive may have more members than those that were found.
  private func warnOfDirectory() {
    warnings.append(
      StreamWarning(
        code: .truncated,
        message:
          "The archive's directory is missing or damaged; only files found without it were read."))
  }

  /// Ends an archive that has no proper end.
  private func endEarly(
    _ message: String = "The archive is cut off or damaged; files after this point were not found."
  ) {
    guard !hasEnded else { return }
    hasEnded = true
    warnings.append(StreamWarning(code: .truncated, message: message))
  }
}
