import ByteStreams
import GeoStore
import Geodesy
import TrackIngest
import SQLiteLayer

extension FileDecoder {
  /// The outcome of decoding a source.
  enum Fate {
    /// The end of the source was passed on: imported, refused or a duplicate.
    case reported
    /// The source does not claim to be a track and is not one, for this reason.
    case noTrack(IngestError?)
    /// It does not claim to be a track that can be read, and is of a kind that is known to hold
    /// tracks.
    case unsupported(UnsupportedKind)
    /// It does not claim to be a track, and is itself a zip or tar archive.
    case archive
    /// The source does not claim to be a track, and its kind cannot be determined.
    case unreadable(IngestError)
    /// The reader of the queue has stopped.
    case abandoned
  }

  /// Decodes one source and passes on its kept fixes and its end. Explains it, if that is wanted.
  func decode(_ source: SourceBytes, into sender: inout SourceSender) -> Fate {
    guard let explainer else { return decodeBytes(of: source, into: &sender) }
    let fate = decodeBytes(of: explainer.begin(source), into: &sender)
    explainer.end(fate)
    return fate
  }

  private func decodeBytes(of source: SourceBytes, into sender: inout SourceSender) -> Fate {
    if let duplicate = duplicate(source) { return sender.end(duplicate) ? .reported : .abandoned }

    var decoded = DecodedSource(path: source.path)
    var hash = SHA256()
    var reader = TrackReader(
      filter: filter, including: extras, searchesToEnd: source.isClaimedTrack,
      columns: columns, path: source.expandedName, now: now)
    explainer?.prepare(&reader)
    var head: [UInt8] = []
    var isAbandoned = false
    var counted = 0
    var pixels: PixelCells?
    let ending = source.readExpanded { piece in
      decoded.bytes += piece.count
      hash.update(piece)
      reader.read(piece)
      explainer?.follow(&reader)
      count(reader, &counted)
      if head.count < 512 { head.append(contentsOf: piece.prefix(512 - head.count)) }
      insert(reader.takeExplored(), into: &pixels)
      isAbandoned = !hand(over: &reader, to: &sender, &decoded.heights)
      // A source that is not a track need not be read to its end.
      return !isAbandoned && !reader.isRefused
    }
    if isAbandoned { return .abandoned }
    decoded.report = reader.finish()
    explainer?.finish(&reader)
    count(reader, &counted)
    insert(reader.takeExplored(), into: &pixels)
    guard hand(over: &reader, to: &sender, &decoded.heights) else { return .abandoned }
    let found = decoded.report
    decoded.report.warnings += ending.warnings.map { IngestWarning($0) }
    if found.error?.code == .empty, let warning = ending.warnings.first {
      decoded.report.error = IngestError(code: .malformed, message: warning.message)
    }
    if let error = ending.error {
      // Fixes decoded before the error may be damaged too, so none of them counts.
      decoded.report = TrackReport()
      decoded.report.format = found.format
      decoded.report.error = IngestError(error)
    }
    let isZip = head.prefix(4).withUnsafeBytes { ContentKind(prefix: $0) } == .zip
    let isArchive = isZip || TarArchive.begins(with: head)
    let isDamagedTar =
      source.isFile && ending.error == nil && found.error?.code == .unknownFormat
      && TarArchive.beginsDamaged(with: head)
    if isDamagedTar {
      decoded.report.error = IngestError(
        code: .malformed, message: "It is a tar archive whose first header is damaged.")
    }
    if found.format == .fogOfWorld { finish(&decoded, pixels ?? PixelCells(grid: grid), &hash) }
    if let kind = Self.unsupportedKind(found, source, isArchive: isArchive) {
      if !source.isClaimedTrack { return .unsupported(kind) }
      decoded.report.error = IngestError(unsupported: kind)
    }
    explainer?.note(decoded)
    let isDamagedFile =
      source.isFile && Self.isDamaged(found, ending)
      || isDamagedTar && FoundFile.claimsArchive(path: source.path)
    if !source.isClaimedTrack, !isDamagedFile, !Self.isTrack(found),
      !Self.isTile(found, at: source.path)
    {
      if isArchive { return .archive }
      return ending.error.map { .unreadable(IngestError($0)) } ?? .noTrack(decoded.report.error)
    }
    if decoded.report.error == nil { decoded.sha256 = hash.finalizeHexadecimal() }
    return sender.end(decoded) ? .reported : .abandoned
  }

  /// The kind of a file that is known to hold tracks and cannot be read: by its contents, and where
  /// those say nothing by its name. The members of an archive that is itself compressed or in an
  /// archive are not read, so its name decides, too.
  private static func unsupportedKind(
    _ report: TrackReport, _ source: SourceBytes, isArchive: Bool
  ) -> UnsupportedKind? {
    guard let error = report.error else { return nil }
    if let kind = error.unsupported { return kind }
    guard error.isUncertain || isArchive else { return nil }
    return UnsupportedKind(fileName: source.expandedName)
  }

  /// Whether the bytes cannot be read or expanded, or end before the first one is expanded: what
  /// they would have shown is lost.
  private static func isDamaged(_ report: TrackReport, _ ending: StreamEnding) -> Bool {
    if ending.error != nil { return true }
    return report.error?.code == .empty && ending.warnings.contains { $0.code == .truncated }
  }

  /// Whether the contents show a track. An empty but well-formed track is one. What is refused, or
  /// malformed without a position in it, like a program that mentions GPX, is not.
  private static func isTrack(_ report: TrackReport) -> Bool {
    if report.points + report.waypoints + report.routePoints > 0 { return true }
    return report.error == nil && !report.warnings.contains { $0.code == .malformed }
  }

  /// Whether the source is a tile of Fog of World, which is refused rather than ignored if it
  /// cannot be read. The summaries of a snapshot are ignored.
  private static func isTile(_ report: TrackReport, at path: String) -> Bool {
    report.format == .fogOfWorld && !FogOfWorldName.isSummary(path: path)
  }

  /// Adds blocks of explored pixels to the cells of a source.
  private func insert(_ blocks: [PixelBlock], into pixels: inout PixelCells?) {
    if blocks.isEmpty { return }
    var cells = pixels ?? PixelCells(grid: grid)
    pixels = nil  // so that the cells are changed in place
    for block in blocks { cells.insert(block) }
    pixels = cells
  }

  /// Completes a source of explored pixels: adds its cells, and to its digest the place of the
  /// tile, because equal tiles of different places are different sources.
  private func finish(_ decoded: inout DecodedSource, _ pixels: PixelCells, _ hash: inout SHA256) {
    guard decoded.report.error == nil else { return }
    let cells = WithheldCells(zones: filter.zones, grid: grid).outside(pixels.cells)
    decoded.withheldCells = pixels.cells.count - cells.count
    decoded.cells = cells
    Self.addPlace(ofTileAt: decoded.path, to: &hash)
  }

  /// Continues the digest of a tile's bytes with its number. Returns false if the name has none.
  @discardableResult
  private static func addPlace(ofTileAt path: String, to hash: inout SHA256) -> Bool {
    guard let name = FogOfWorldName(path: path) else { return false }
    name.digestSuffix.withUnsafeBytes { hash.update($0) }
    return true
  }

  /// Reports to the meter the points decoded since the last call.
  private func count(_ reader: borrowing TrackReader, _ counted: inout Int) {
    guard let meter else { return }
    meter.add(points: reader.pointCount - counted)
    counted = reader.pointCount
  }

  /// Passes on the fixes accepted since the last call; returns false if the reader of the queue has
  /// stopped.
  private func hand(
    over reader: inout TrackReader, to sender: inout SourceSender, _ heights: inout HeightProfile
  ) -> Bool {
    let accepted = reader.takeAccepted()
    guard !accepted.isEmpty else { return !sender.isLeft }
    for one in accepted where !one.isInFlight {
      heights.take(one.fix.elevationMeters, at: one.fix.time)
    }
    return sender.push(
      accepted.map {
        KeptFix(
          coordinate: $0.fix.coordinate, time: $0.fix.time,
          accuracyMeters: $0.fix.horizontalAccuracyMeters, startsSegment: $0.startsSegment,
          isInFlight: $0.isInFlight, endsFlightLeg: $0.endsFlightLeg)
      })
  }

  /// Returns the source as a duplicate if the store already has its bytes. A source is hashed
  /// before it is decoded only if its stated size equals that of a stored source, so importing a
  /// folder again computes hashes and decodes nothing. The stated size is only a hint; the hash
  /// decides.
  private func duplicate(_ source: SourceBytes) -> DecodedSource? {
    guard let store, let expectedBytes = source.expectedBytes else { return nil }
    // If the store cannot answer, the writer runs into the same error.
    let isCandidate = try? store.withSnapshot { (snapshot) throws(DatabaseError) in
      try snapshot.hasSource(bytes: expectedBytes)
    }
    guard isCandidate == true else { return nil }
    var decoded = DecodedSource(path: source.path, isKnownDuplicate: true)
    var hash = SHA256()
    let ending = source.readExpanded { piece in
      decoded.bytes += piece.count
      hash.update(piece)
      return decoded.bytes <= expectedBytes
    }
    guard ending.error == nil, decoded.bytes == expectedBytes else { return nil }
    var digests = [hash]
    var placed = hash
    if Self.addPlace(ofTileAt: source.path, to: &placed) { digests.append(placed) }
    for digest in digests {
      let sum = digest.finalizeHexadecimal()
      let format = try? store.withSnapshot { (snapshot) throws(DatabaseError) in
        try snapshot.formatOfSource(sha256: sum)
      }
      guard let format else { continue }
      decoded.sha256 = sum
      decoded.report.format = SourceFormat(rawValue: format)
      return decoded
    }
    return nil
  }
}
