import ByteStreams
import TrackIngest

/// Tar archives, also those that are compressed with gzip.
extension FileDecoder {
  /// Decodes a tar archive, whose files are sources.
  func decodeTar(_ input: InputFile, of file: FoundFile, into sender: inout SourceSender) {
    var archive = Archive(path: file.path, format: "tar")
    explainer?.open(archive: file.path, format: archive.format, evidence: input.archiveEvidence)
    do throws(StreamError) {
      try decodeFiles(of: input, &archive, into: &sender)
    } catch {
      archive.failure = IngestError(error)
    }
    end(archive, of: file, input, into: &sender)
  }

  private func decodeFiles(
    of input: InputFile, _ archive: inout Archive, into sender: inout SourceSender
  ) throws(StreamError) {
    if input.kind == .gzip { return try decodeCompressedFiles(of: input, &archive, into: &sender) }
    if let byteCount = input.byteCount {
      let tar = TarArchive(byteCount: byteCount) { (position, buffer) throws(StreamError) in
        try input.read(at: position, into: buffer)
      }
      return try decodeFiles(of: tar, in: input, &archive, into: &sender)
    }
    let tar = TarArchive { (buffer) throws(StreamError) in try input.readNext(into: buffer) }
    try decodeFiles(of: tar, in: input, &archive, into: &sender)
    // Otherwise the writer of a pipe might fail.
    if archive.isAbandoned { return }
    if let error = input.readAll(to: { _ in true }).error { throw error }
  }

  private func decodeCompressedFiles(
    of input: InputFile, _ archive: inout Archive, into sender: inout SourceSender
  ) throws(StreamError) {
    // The checksum is at the end of the stream, and a tar archive has none of its contents.
    if input.byteCount != nil { try Self.checkGzip(input, unless: { sender.isLeft }) }
    var position = 0
    let gzip = GzipSource { (buffer) throws(StreamError) in
      guard input.byteCount != nil else { return try input.readNext(into: buffer) }
      let count = try input.read(at: position, into: buffer)
      position += count
      return count
    }
    let tar = TarArchive { (buffer) throws(StreamError) in try gzip.read(into: buffer) }
    try decodeFiles(of: tar, in: input, &archive, into: &sender)
    if archive.isAbandoned { return }
    let ending = gzip.readToEnd()
    if let error = ending.error { throw error }
    if archive.warnings.isEmpty { archive.warnings = ending.warnings.map { IngestWarning($0) } }
  }

  private func decodeFiles(
    of tar: TarArchive, in input: InputFile, _ archive: inout Archive,
    into sender: inout SourceSender
  ) throws(StreamError) {
    let budget = ExpansionBudget(byteCount: input.byteCount ?? 0)
    while let member = try tar.next() {
      archive.count += 1
      if archive.names.count < Archive.namesAtMost { archive.names.insert(member.name) }
      let path = archive.path + "/" + member.name
      let isClaimed = FoundFile.claimsTrack(memberName: member.name)
      if member.isSparse {
        if isClaimed {
          refuse(path, Self.sparse, into: &sender)
        } else {
          sender.leaveOut(member.name, for: .unreadable(Self.sparse))
          explainer?.ignore(path, because: Self.sparse.message)
        }
        continue
      }
      let source = SourceBytes(
        path: path, isClaimedTrack: isClaimed, isFile: false, expectedBytes: nil, budget: budget
      ) { sink in
        tar.read { piece in
          if input.byteCount == nil { budget.grant(byteCount: input.bytesRead) }
          return sink(piece)
        }
      }
      guard decode(member: source, member.name, of: archive, into: &sender) else {
        archive.isAbandoned = true
        return
      }
    }
    archive.warnings = tar.warnings.map { IngestWarning($0) }
  }

  /// Expands a compressed file to its end, or until the import is canceled.
  ///
  /// - Throws: the error of a damaged stream: what comes before the damage may be wrong, too.
  private static func checkGzip(
    _ input: InputFile, unless isLeft: () -> Bool
  ) throws(StreamError) {
    input.isCounting = false
    defer { input.isCounting = true }
    var decompressor = Decompressor()
    let ending = input.readAll { piece in
      decompressor.read(piece) { _ in !isLeft() }
    }
    if let error = ending.error ?? decompressor.finish(to: { _ in true }).error { throw error }
  }

  private static let sparse = IngestError(
    code: .unreadable,
    message: "It is a sparse file, of which only parts are stored; unpack the archive first.")
}
