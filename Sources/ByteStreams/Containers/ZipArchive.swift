import CZlib

/// Reads the members of a zip archive in order, without writing anything to disk. Not `Sendable`.
///
/// A file is read by its central directory; a stream, or a file whose directory is missing, by the
/// local headers before the members. `docs/formats/containers.md` lists what is read and what is
/// refused; `docs/decisions/zip-reader.md` says why this reader exists.
///
/// - Memory: under 512 KiB and 8 bytes per member, whatever the members expand to.
package final class ZipArchive {
  private enum Layout {
    case directory(ZipDirectory)
    case stream
  }

  /// The warnings about the archive as a whole, complete once ``next()`` has returned nil.
  package private(set) var warnings: [StreamWarning] = []
  /// True if members can be read more than once and in any order.
  package var canReadAgain: Bool { if case .directory = layout { true } else { false } }

  private var layout: Layout
  private let feed: ByteFeed
  private let inflater = InflateStream(.none)
  /// The number of bytes that all members together may still expand to. It limits the effect of
  /// undetected overlaps.
  private var budget: Int
  /// The member of a stream that ``next()`` returned last, until it is read.
  private var pending: ZipMember?
  private var hasEnded = false

  /// Creates a reader of an archive in a file.
  ///
  /// - Parameters:
  ///   - byteCount: the length of the file.
  ///   - source: reads bytes of the file from a position on, possibly fewer than asked for, 0 only
  ///     at the end.
  /// - Throws: any error of `source`; ``StreamError`` for a part of a split archive or too many
  ///   members.
  package init(
    byteCount: Int,
    source:
      @escaping (_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) ->
      Int
  ) throws(StreamError) {
    feed = ByteFeed(source: source)
    if let directory = try ZipDirectory(byteCount: byteCount, source: source) {
      layout = .directory(directory)
      budget = ExpansionLimit.bytes(from: byteCount)
    } else {
      layout = .stream
      budget = .max
      warnings.append(
        StreamWarning(
          code: .truncated,
          message:
            "The archive's directory is missing or damaged; only files found without it were read.")
      )
    }
  }

  /// Creates a reader of an archive in a stream. `source` reads the next bytes, possibly fewer than
  /// asked for, 0 only at the end.
  package init(
    stream source: @escaping (_ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  ) {
    feed = ByteFeed { (_, buffer) throws(StreamError) in try source(buffer) }
    layout = .stream
    budget = .max
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
      switch layout {
      case .directory:
        if let obstacle = member.obstacle { return StreamEnding(error: obstacle) }
        guard try seekToBytes(of: member) else {
          return .damaged("It is damaged: it is not where the archive's directory says.")
        }
        return try extract(member, to: sink).ending
      case .stream:
        guard pending == member else {
          return .damaged("Members of a stream are read once and in order.")
        }
        pending = nil
        return try readInStream(member, to: sink)
      }
    } catch {
      return StreamEnding(error: error)
    }
  }

  // MARK: - Members

  private func seekToBytes(of member: ZipMember) throws(StreamError) -> Bool {
    feed.seek(to: member.position)
    guard let bytes = try feed.take(ZipHeader.localBytes),
      bytes.number(at: 0, count: 4) == ZipHeader.Signature.local
    else { return false }
    let header = ZipHeader(local: bytes)
    return try feed.skip(header.nameBytes + header.extraBytes)
  }

  /// The result of expanding a member's bytes.
  private struct Extraction {
    var ending = StreamEnding()
    var compressedBytes = 0
    var expandedBytes = 0
    var crc: UInt32 = 0
    /// The sink stopped: nothing is checked.
    var isStopped = false

    /// The error if the archive's numbers do not match; nil if they do.
    func mismatch(crc: UInt32?, expandedBytes: Int?) -> StreamEnding? {
      guard let crc, crc != self.crc || (expandedBytes ?? self.expandedBytes) != self.expandedBytes
      else {
        return nil
      }
      return .damaged("It is damaged: its contents do not match their checksum.")
    }
  }

  /// Expands the member whose bytes come next.
  private func extract(
    _ member: ZipMember, to sink: (UnsafeRawBufferPointer) -> Bool
  ) throws(StreamError) -> Extraction {
    var result = Extraction()
    inflater.reset()
    var isComplete = member.compressedBytes == 0 && member.expandedBytes == 0
    func deliver(_ piece: UnsafeRawBufferPointer) -> Bool {
      result.expandedBytes += piece.count
      result.crc = Self.crc(piece, after: result.crc)
      budget -= min(budget, piece.count)
      return budget > 0 && sink(piece)
    }
    while !isComplete, !result.isStopped {
      let left = member.compressedBytes.map { $0 - result.compressedBytes } ?? .max
      guard left > 0 else {
        result.ending = .damaged("It is damaged: its compressed bytes end too early.")
        return result
      }
      guard try feed.fill() else {
        result.ending = .truncated(
          "The archive is cut off inside this file; everything before the cut was read.")
        return result
      }
      // Sound: the piece is valid until `feed` is used again, which no sink does.
      let piece = UnsafeRawBufferPointer(rebasing: feed.unread.prefix(left))
      var taken = piece.count
      if member.method == ZipMember.Method.stored {
        result.isStopped = !deliver(piece)
        isComplete = taken == left
      } else {
        let outcome: InflateStream.Outcome
        (taken, outcome) = inflater.inflate(piece, to: deliver)
        switch outcome {
        case .needsInput: break
        case .ended: isComplete = true
        case .stopped: result.isStopped = true
        case .failed(let error):
          result.ending = StreamEnding(error: error)
          return result
        }
      }
      feed.consume(taken)
      result.compressedBytes += taken
    }
    if budget == 0 {
      result.ending = StreamEnding(error: ExpansionLimit.error)
    } else if !result.isStopped,
      let mismatch = result.mismatch(crc: member.crc, expandedBytes: member.expandedBytes)
    {
      result.ending = mismatch
    }
    return result
  }

  private static func crc(_ bytes: UnsafeRawBufferPointer, after crc: UInt32) -> UInt32 {
    // The pointer is only read during the call; pieces are far below the 4 GiB of zlib's lengths.
    UInt32(
      crc32(UInt(crc), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
  }

  // MARK: - Streams

  private func nextInStream() throws(StreamError) -> ZipMember? {
    if let member = pending {
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
    if let obstacle = member.obstacle {
      try skipRest(of: member)
      return StreamEnding(error: obstacle)
    }
    var wantsMore = true
    let result = try extract(member) { piece in
      if wantsMore { wantsMore = sink(piece) }
      return wantsMore || member.compressedBytes == nil
    }
    var ending = result.ending
    if member.compressedBytes != nil {
      try skipRest(of: member)
    } else if ending != StreamEnding() {
      endEarly()  // without a length the next member cannot be found
    } else if try !takeDescriptor(of: result) {
      ending =
        try feed.fill(Self.longestDescriptorBytes)
        ? .damaged("It is damaged: its contents do not match their checksum.")
        : .truncated("The archive is cut off right after this file; the file was read to its end.")
      endEarly()
    }
    return wantsMore ? ending : StreamEnding()
  }

  /// Skips to the end of a member.
  private func skipRest(of member: ZipMember) throws(StreamError) {
    guard let count = member.compressedBytes else {
      endEarly()
      return
    }
    // The count is what the archive says, up to `Int.max`: a sum of it could overflow.
    if try !feed.skip(count - (feed.position - member.position)) { endEarly() }
  }

  /// A signature, a checksum and two sizes of 8 bytes. In a complete archive the directory follows.
  private static let longestDescriptorBytes = 24

  /// Reads the checksum and sizes after a member. The signature is optional, and the sizes have 4
  /// or 8 bytes: the form that matches the member is used.
  private func takeDescriptor(of result: Extraction) throws(StreamError) -> Bool {
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

  /// Ends an archive that has no proper end.
  private func endEarly() {
    guard !hasEnded else { return }
    hasEnded = true
    warnings.append(
      StreamWarning(
        code: .truncated,
        message: "The archive is cut off or damaged; files after this point were not found."))
  }
}
