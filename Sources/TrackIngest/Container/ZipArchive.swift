import CZlib

/// Reads the members of a zip archive one after the other. Nothing is ever written: names lead nowhere. Not `Sendable`.
///
/// From a file by its central directory; from a stream, or a file whose directory is cut off, by the headers in front of
/// the members. What is read and what is refused is written in `docs/formats/containers.md`, and why the reader
/// is our own in `docs/decisions/zip-reader.md`.
///
/// - Memory: under 512 KiB and 8 bytes a member, whatever the members expand to.
public final class ZipArchive {
  private enum Layout {
    case directory(ZipDirectory)
    case stream
  }

  /// What is wrong with the archive as a whole, known once ``next()`` has given nil.
  public private(set) var warnings: [IngestWarning] = []
  /// Whether a member may be read more than once, and in any order.
  public var canReadAgain: Bool { if case .directory = layout { true } else { false } }

  private var layout: Layout
  private let feed: ByteFeed
  private let inflater = InflateStream(.none)
  /// Bytes that all members together may still expand to: it stops what overlaps in ways that are not noticed.
  private var budget: Int
  /// The member of a stream that ``next()`` gave last, until it is read.
  private var pending: ZipMember?
  private var hasEnded = false

  /// An archive in a file.
  ///
  /// - Parameters:
  ///   - byteCount: the length of the file.
  ///   - source: reads bytes of the file from a position on; fewer than asked for if it must, 0 only at the end.
  /// - Throws: what `source` throws; ``IngestError`` for a part of a split archive and for a million members.
  public init(
    byteCount: Int,
    source: @escaping (_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(IngestError) -> Int
  ) throws(IngestError) {
    feed = ByteFeed(source: source)
    if let directory = try ZipDirectory(byteCount: byteCount, source: source) {
      layout = .directory(directory)
      budget = ExpansionLimit.bytes(from: byteCount)
    } else {
      layout = .stream
      budget = .max
      warnings.append(
        IngestWarning(
          code: .truncated, line: nil,
          message: "The archive's directory is missing or damaged: files were read as far as they were found."
        ))
    }
  }

  /// An archive that comes in a stream, which `source` reads: fewer bytes than asked for if it must, 0 only at the
  /// end.
  public init(
    stream source: @escaping (_ buffer: UnsafeMutableRawBufferPointer) throws(IngestError) -> Int
  ) {
    feed = ByteFeed { (_, buffer) throws(IngestError) in try source(buffer) }
    layout = .stream
    budget = .max
  }

  /// The next member, folders included, in the order of the archive; nil behind the last.
  public func next() throws(IngestError) -> ZipMember? {
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

  /// Reads a member: of a stream the one that ``next()`` gave last, once.
  ///
  /// - Parameter sink: receives the member's bytes, in pieces of any size but never none; false where it wants no
  ///   more. Then nothing is known of the rest.
  /// - Returns: what was odd, or why nothing that was handed out should be kept.
  public func read(_ member: ZipMember, to sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding {
    do {
      switch layout {
      case .directory:
        if let hindrance = member.hindrance { return StreamEnding(error: hindrance) }
        guard try seekToBytes(of: member) else {
          return .damaged("It is damaged: it is not where the archive's directory says.")
        }
        return try extract(member, to: sink).ending
      case .stream:
        guard pending == member else { return .damaged("Members of a stream are read once and in order.") }
        pending = nil
        return try readInStream(member, to: sink)
      }
    } catch {
      return StreamEnding(error: error)
    }
  }

  // MARK: - Members

  private func seekToBytes(of member: ZipMember) throws(IngestError) -> Bool {
    feed.seek(to: member.position)
    guard let bytes = try feed.take(ZipHeader.localBytes),
      bytes.number(at: 0, count: 4) == ZipHeader.Signature.local
    else { return false }
    let header = ZipHeader(local: bytes)
    return try feed.skip(header.nameBytes + header.extraBytes)
  }

  /// What came out of a member's bytes.
  private struct Extraction {
    var ending = StreamEnding()
    var compressedBytes = 0
    var expandedBytes = 0
    var crc: UInt32 = 0
    /// The sink wants no more: there is nothing to be checked.
    var isStopped = false

    /// What is wrong with it by the archive's numbers; nil where all fits.
    func misfit(crc: UInt32?, expandedBytes: Int?) -> StreamEnding? {
      guard let crc, crc != self.crc || (expandedBytes ?? self.expandedBytes) != self.expandedBytes else {
        return nil
      }
      return .damaged("It is damaged: its contents do not match their checksum.")
    }
  }

  /// Expands the member whose bytes come next.
  private func extract(
    _ member: ZipMember, to sink: (UnsafeRawBufferPointer) -> Bool
  ) throws(IngestError) -> Extraction {
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
        result.ending = .damaged("It is damaged: its compressed bytes end too soon.")
        return result
      }
      guard try feed.fill() else {
        result.ending = .truncated("The archive is cut off in the middle of this file.")
        return result
      }
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
      let misfit = result.misfit(crc: member.crc, expandedBytes: member.expandedBytes)
    {
      result.ending = misfit
    }
    return result
  }

  private static func crc(_ bytes: UnsafeRawBufferPointer, after crc: UInt32) -> UInt32 {
    // Pieces are far below the 4 GiB that zlib's lengths can say.
    UInt32(
      crc32(UInt(crc), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
  }

  // MARK: - Streams

  private func nextInStream() throws(IngestError) -> ZipMember? {
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
      feed.consume(4)  // the mark of an archive that was meant to be split
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
    guard let name = try feed.take(header.nameBytes), let extra = try feed.take(header.extraBytes) else {
      endEarly()
      return nil
    }
    header.takeZip64(from: extra)
    pending = ZipMember(header, name: name, extra: extra, position: feed.position, isStreamed: true)
    return pending
  }

  /// Reads a member to its end whatever the sink wants, so that the next one is found.
  private func readInStream(
    _ member: ZipMember, to sink: (UnsafeRawBufferPointer) -> Bool
  ) throws(IngestError) -> StreamEnding {
    if let hindrance = member.hindrance {
      try leave(member)
      return StreamEnding(error: hindrance)
    }
    var wantsMore = true
    let result = try extract(member) { piece in
      if wantsMore { wantsMore = sink(piece) }
      return wantsMore || member.compressedBytes == nil
    }
    var ending = result.ending
    if member.compressedBytes != nil {
      try leave(member)
    } else if ending != StreamEnding() {
      endEarly()  // without a length there is no telling where the next one begins
    } else if try !takeDescriptor(of: result) {
      ending =
        try feed.fill(Self.longestDescriptorBytes)
        ? .damaged("It is damaged: its contents do not match their checksum.")
        : .truncated("The archive is cut off right behind this file.")
      endEarly()
    }
    return wantsMore ? ending : StreamEnding()
  }

  /// Goes to the end of a member.
  private func leave(_ member: ZipMember) throws(IngestError) {
    guard let count = member.compressedBytes else {
      endEarly()
      return
    }
    if try !feed.skip(member.position + count - feed.position) { endEarly() }
  }

  /// A signature, a sum and two sizes of 8 bytes. An archive that is whole has its directory behind it.
  private static let longestDescriptorBytes = 24

  /// Reads the sum and sizes behind a member. There may be a signature, and the sizes may have 4 or 8 bytes: the form
  /// that fits what was read is the one.
  private func takeDescriptor(of result: Extraction) throws(IngestError) -> Bool {
    for hasSignature in [true, false] {
      for sizeBytes in [4, 8] {
        let start = hasSignature ? 4 : 0
        let count = start + 4 + 2 * sizeBytes
        guard try feed.fill(count) else { continue }
        let bytes = Array(feed.unread.prefix(count))
        if hasSignature, bytes.number(at: 0, count: 4) != ZipHeader.Signature.descriptor { continue }
        let mask = sizeBytes == 4 ? UInt64(UInt32.max) : .max
        guard bytes.number(at: start, count: 4) == UInt64(result.crc),
          bytes.number(at: start + 4, count: sizeBytes) == UInt64(result.compressedBytes) & mask,
          bytes.number(at: start + 4 + sizeBytes, count: sizeBytes) == UInt64(result.expandedBytes) & mask
        else { continue }
        feed.consume(count)
        return true
      }
    }
    return false
  }

  /// The archive does not end as an archive does.
  private func endEarly() {
    guard !hasEnded else { return }
    hasEnded = true
    warnings.append(
      IngestWarning(
        code: .truncated, line: nil,
        message: "The archive is cut off or damaged: what stands behind this place was not found."))
  }
}
