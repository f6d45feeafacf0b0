import ByteStreams
import Foundation
import GeoStore
import Geodesy
import GridHash
import TrackIngest

/// Reads one file and passes the kept fixes of its sources to a queue. The source is the file
/// itself, or each member of an archive. Runs on its own thread.
struct FileDecoder {
  /// The number of bytes read at once.
  static let chunkBytes = 1 << 18

  let store: Store?
  let filter: FilterSettings
  let extras: Set<ExtraPoints>
  /// The columns of tables that the user states.
  var columns: TableColumns?
  let now: Timestamp
  /// The grid of the store, for sources that have cells and no fixes.
  var grid = Grid.standard
  var meter: ImportMeter?
  /// Explains what is read; nil for none.
  var explainer: SourceExplainer?

  /// Reads `file` to its end, or until the queue is abandoned.
  func decode(_ file: FoundFile, into queue: SourceQueue) {
    var sender = SourceSender(queue)
    if let failure = file.failure {
      refuse(file, failure, into: &sender)
      sender.close()
      return
    }
    do {
      let input = try InputFile(file, meter: meter)
      if input.kind == .zip || Self.hidesArchive(input, file) {
        decodeZip(input, of: file, into: &sender)
      } else if input.isTar {
        decodeTar(input, of: file, into: &sender)
      } else {
        decodeWhole(input, of: file, into: &sender)
      }
    } catch {
      refuse(file, error, into: &sender)
      sender.close()
    }
  }

  /// Decodes a file that is one source.
  private func decodeWhole(_ input: InputFile, of file: FoundFile, into sender: inout SourceSender)
  {
    let isGzip = input.kind == .gzip
    // A file with the name of an archive that does not begin as one is damaged or empty, such as a
    // failed download. Nobody knows what was in it.
    let isLostArchive = !isGzip && FoundFile.claimsArchive(path: file.path)
    let source = SourceBytes(
      path: file.path, isClaimedTrack: file.isClaimedTrack || isLostArchive, isFile: true,
      expectedBytes: isGzip ? input.lastNumber : input.byteCount
    ) { sink in input.readAll(to: sink) }
    switch decode(source, into: &sender) {
    case .reported, .abandoned: break
    case .noTrack, .archive, .unreadable: sender.ignore(file.path)
    case .unsupported(let kind): sender.skip(kind)
    }
    input.settle()
    sender.close()
  }

  // MARK: - Archives

  /// Decodes a zip archive, whose members are sources.
  private func decodeZip(
    _ input: InputFile, of file: FoundFile, into sender: inout SourceSender
  ) {
    var archive = Archive(path: file.path)
    do {
      let zip = try Self.zipArchive(input)
      explainer?.open(archive: file.path, format: archive.format, evidence: input.archiveEvidence)
      decodeMembers(of: zip, &archive, into: &sender)
    } catch {
      archive.failure = IngestError(error)
    }
    end(archive, of: file, input, into: &sender)
  }

  /// Ends an archive: says why, if there was no track in it or not all of it was read.
  func end(
    _ archive: Archive, of file: FoundFile, _ input: InputFile, into sender: inout SourceSender
  ) {
    let warnings = archive.warnings
    explainer?.close(archive: file.path, warnings: warnings)
    if sender.reported == 0 {
      // The ignored files of an archive without tracks are not counted one by one. An archive that
      // is itself a file of another format counts as one file of that kind; of any other archive,
      // the files of kinds that cannot be read yet are counted.
      sender.forgetIgnored()
      if let kind = Self.kind(of: file.path, members: archive.names), !sender.hasSkipped {
        if file.isClaimedTrack {
          refuse(file, IngestError(unsupported: kind), into: &sender)
        } else {
          sender.skip(kind)
        }
        input.settle()
        return sender.close(warnings: warnings)
      }
      let reason =
        archive.failure ?? sender.reasonForNone
        ?? Self.reasonForNone(
          lookedAt: archive.count, isCut: !warnings.isEmpty, format: archive.format)
      let isDamaged = archive.failure != nil || !warnings.isEmpty
      if file.isClaimedTrack || isDamaged || sender.mustSayWhyNone {
        refuse(file, reason, into: &sender)
      } else if !sender.hasSkipped {
        sender.ignore(file.path)
      }
    } else if let failure = archive.failure {
      refuse(file, failure, into: &sender)
    }
    input.settle()
    sender.close(warnings: warnings)
  }

  /// The kind of an archive that is a file of another format: by its members, or by its name.
  static func kind(of path: String, members: Set<String>) -> UnsupportedKind? {
    UnsupportedKind(archiveMembers: members) ?? UnsupportedKind(fileName: path)
  }

  /// Whether a file that does not begin as an archive is one by its name and its end: one that
  /// unpacks itself.
  private static func hidesArchive(_ input: InputFile, _ file: FoundFile) -> Bool {
    guard file.path.lowercased().hasSuffix(".zip"), input.byteCount != nil, input.kind != .gzip
    else {
      return false
    }
    return (try? zipArchive(input))?.canReadAgain == true
  }

  private static func zipArchive(_ input: InputFile) throws(StreamError) -> ZipArchive {
    guard let byteCount = input.byteCount else {
      return ZipArchive { (buffer) throws(StreamError) in try input.readNext(into: buffer) }
    }
    return try ZipArchive(byteCount: byteCount) { (position, buffer) throws(StreamError) in
      try input.read(at: position, into: buffer)
    }
  }

  /// The reason why an archive has no tracks.
  ///
  /// - Parameter format: the name of the archive's format.
  static func reasonForNone(lookedAt count: Int, isCut: Bool, format: String) -> IngestError {
    if isCut {
      IngestError(
        code: .malformed,
        message: "It is a \(format) archive that is cut off or damaged; no track was found.")
    } else if count == 0 {
      IngestError(code: .empty, message: "It is a \(format) archive that contains no files.")
    } else {
      IngestError(
        code: .unknownFormat,
        message: count == 1
          ? "The only file in this \(format) archive is not a track in a supported format."
          : "None of the \(GroupedNumber.text(count)) files in this \(format) archive is a track "
            + "in a supported format.")
    }
  }

  private func refuse(
    _ file: FoundFile, _ error: IngestError, into sender: inout SourceSender
  ) {
    refuse(file.path, error, into: &sender)
  }

  /// Reports a file, or a member of an archive, as refused.
  func refuse(_ path: String, _ error: IngestError, into sender: inout SourceSender) {
    var source = DecodedSource(path: path)
    source.report.error = error
    explainer?.refuse(source)
    _ = sender.end(source)
  }
}
