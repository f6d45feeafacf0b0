import GeoStore
import SQLiteLayer
import TrackIngest

extension Explorer {
  /// Imports the tracks in files and folders. Each file is imported as a whole or not at all. A
  /// large file has its own transaction; several small files share one.
  ///
  /// A file that cannot be read does not throw: the report lists it as refused. If the store fails
  /// during an import, the import ends and the report contains the ``ImportReport/failure``; files
  /// that were finished before remain imported.
  ///
  /// - Throws: `DatabaseError` if the store cannot be read at the start.
  public func importTracks(
    _ paths: [String], options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    defer { options.meter?.end() }
    var options = options
    options.cancellation = options.cancellation ?? Cancellation.current
    guard let cancellation = options.cancellation else {
      return try importAll(paths, options)
    }
    do {
      // Statements of the store end, too, and their waits for other processes.
      return try Cancellation.$current.withValue(cancellation) { try importAll(paths, options) }
    } catch DatabaseError.interrupted where cancellation.isCancelled {
      return .cancelled  // while it waited to read the settings
    }
  }

  private func importAll(_ paths: [String], _ options: ImportOptions) throws -> ImportReport {
    var options = options
    options.events = eventChannel
    var importer = Importer(
      store: store, filter: try filterSettings(), options: options, now: store.options.now(),
      grid: try read { $0.settings.grid })
    var report = importer.run(paths)
    // They are an extra: what fails or takes long is done when they are next asked for.
    if report.count(.imported) > 0, report.failure == nil, !options.isDryRun, !report.isCancelled {
      let achievements = (try? updateAchievementsIfCheap()) ?? nil
      report.newlyUnlocked = achievements?.newlyUnlocked ?? []
      report.isUnlockingKnown = achievements != nil
      eventChannel.send(report.newlyUnlocked.map { .achievementUnlocked($0) })
    }
    return report
  }

  /// Reports what an import into a new store with default settings would read and keep. Writes
  /// nothing.
  package static func preview(
    _ paths: [String], options: ImportOptions = ImportOptions()
  ) -> ImportReport {
    var options = options
    options.isDryRun = true
    var importer = Importer(
      store: nil, filter: FilterSettings(), options: options, now: StoreOptions().now())
    return importer.run(paths)
  }

  /// Returns true if any of the paths exists, so that no store is created for missing files.
  package static func finds(anyOf paths: [String]) -> Bool {
    FoundFile.find(paths).contains { $0.failure == nil }
  }
}
