import ArgumentParser
import Foundation
import Geodesy
import Roqua
import Synchronization

extension ClockOffset {
  /// Reads an offset from UTC, as typed.
  ///
  /// - Throws: ``ArgumentFlaw``.
  fileprivate static func parse(_ argument: String) throws(ArgumentFlaw) -> ClockOffset {
    guard let offset = ClockOffset(argument) else {
      throw ArgumentFlaw("must be a time of at most two years, such as +02:00 or -1:23:45.")
    }
    return offset
  }
}

struct Photos: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos",
    abstract: "Propose positions for photos and videos from your tracks.",
    discussion: """
      Reads the times of JPEG, HEIC, PNG, raw and video files with exiftool, which must be \
      installed, and shows where you were. Nothing is written without --write. A photo that has a \
      position, in the file or in its sidecar, is never changed.

      --write xmp makes a sidecar next to each photo: IMG.jpg.xmp, which darktable and digiKam \
      read. An existing sidecar is left as it is; with --force, the position is added to it. \
      --write exif writes into the photos; exiftool keeps each original as IMG.jpg_original.

      The time of a photo is exact if the file states its time zone or the time by GPS; a video's \
      is in UTC. Otherwise the clock of the camera counts: its offset from UTC is that of \
      --offset; else it is worked out from photos of the same camera whose position was measured, \
      not written by this command; else it is the time zone of the place where you were. The \
      output says which rule was used.

      Exit status: 0 success, 1 failure, also if there is none of the files and folders, 2 some \
      files could not be read or written.

      Examples:
        roqua photos DCIM
        roqua photos DCIM --offset +02:00 --write xmp
      """)

  @OptionGroup var store: StoreArguments

  @Argument(help: "Photos, videos, and folders with them.", completion: .file())
  var paths: [String]

  @Option(
    help: ArgumentHelp(
      "State how far the camera's clock is ahead of UTC: +02:00, -1:23:45.", valueName: "offset"),
    transform: ClockOffset.parse)
  var offset: ClockOffset?

  @Option(
    help: ArgumentHelp(
      "Write positions: xmp (sidecars) or exif (into the photos).", valueName: "target"))
  var write: PhotoWriter.Target?

  @Flag(help: "Add positions to existing sidecars.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Write only positions that are at most this uncertain. (default: 1km)",
      valueName: "distance"), transform: Length.parse)
  var maxUncertainty: Length?

  @OptionGroup var language: LanguageArguments

  func validate() throws {
    guard !paths.isEmpty else { throw ValidationError("Name a photo or a folder.") }
    guard !force || write == .xmp else {
      throw ValidationError("--force can be used only with --write xmp.")
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let tool = try ExifTool()
      let found = PhotoFinder(paths.map(NegativeNumbers.original))
      if found.missing == paths.count {
        for failure in found.failures {
          Console.printError("roqua: " + ExistingFile.message(failure.path))
        }
        throw ExitCode.failure
      }
      let whereabouts = try WorkProgress.counting { try explorer.whereabouts() }
      let read = try Self.read(found.photos, with: tool)
      var placer = PhotoPlacer(whereabouts, geocoder: explorer.geocoder, statedOffset: offset)
      let proposals = placer.proposals(for: read.compactMap { try? $0.get() })
      let limit = maxUncertainty?.meters ?? 1_000
      var outcomes = outcomes(read, found, proposals, limit, explorer)
      if let write {
        try Self.write(
          &outcomes, found, PhotoWriter(tool: tool, target: write, addsToSidecars: force))
      }
      let summary = PhotoSummary(
        outcomes: outcomes, cameras: placer.cameras, limitMeters: limit, isWriting: write != nil)
      if store.json {
        Console.print(summary.json)
      } else {
        summary.lines().forEach(Console.print)
      }
      for outcome in outcomes {
        if let reason = outcome.reason { Console.printError("\(outcome.path): \(reason)") }
      }
      if summary.failures > 0 { throw ExitCode(2) }
    }
  }

  /// Reads the photos, with a progress line.
  private static func read(
    _ photos: [PhotoFinder.Photo], with tool: ExifTool
  ) throws -> [Result<PhotoFacts, PhotoReader.UnreadablePhoto>] {
    let done = Mutex(0)
    let line = ProgressLine { _ in
      let count = done.withLock { $0 }
      return ProgressLine.State(
        parts: ["\(Wording.count(count)) of \(Wording.count(photos.count, "photo")) read"],
        importance: [0], share: Double(count) / Double(max(1, photos.count)))
    }
    defer { line?.end() }
    return try PhotoReader(tool: tool).read(photos) { count in done.withLock { $0 = count } }
  }

  /// The outcomes of all files, in the order in which they were found, and of the paths that were
  /// not.
  private func outcomes(
    _ read: [Result<PhotoFacts, PhotoReader.UnreadablePhoto>], _ found: PhotoFinder,
    _ proposals: [PhotoProposal], _ limitMeters: Double, _ explorer: Explorer
  ) -> [PhotoOutcome] {
    let locale = !store.json || PlaceWording.isChosen ? PlaceWording.current.locale : nil
    var next = proposals.makeIterator()
    let outcomes = zip(found.photos, read).compactMap { photo, result in
      switch result {
      case .failure(let failure):
        PhotoOutcome(path: photo.path, unreadable: failure.reason)
      case .success:
        next.next().map {
          PhotoOutcome($0, limitMeters: limitMeters) { estimate in
            locale.map { explorer.geocoder.place(at: estimate.coordinate, locale: $0) }
              ?? explorer.geocoder.place(at: estimate.coordinate)
          }
        }
      }
    }
    return outcomes
      + found.failures.map { PhotoOutcome(path: $0.path, unreadable: $0.reason) }
  }

  /// Writes the proposed positions, and notes what became of them.
  private static func write(
    _ outcomes: inout [PhotoOutcome], _ found: PhotoFinder, _ writer: PhotoWriter
  ) throws {
    let chosen = zip(outcomes.indices, found.photos).filter { outcomes[$0.0].state == .proposed }
    let failures = try writer.write(
      chosen.compactMap { outcomes[$0.0].proposal }, sidecars: chosen.map { $0.1.sidecars })
    for ((index, _), failure) in zip(chosen, failures) {
      outcomes[index].state = failure == nil ? .written : .notWritten
      outcomes[index].reason = failure
    }
  }
}
