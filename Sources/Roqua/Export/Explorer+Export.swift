import ByteStreams
import Foundation
import GeoExport
import GeoStore
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread; the path `-` is standard output.
  package func export(
    to path: String, options: ExportOptions, replacing isReplacing: Bool = false
  ) throws -> ExportReport {
    if let problem = options.layerProblem {
      throw DatabaseError.cannotWrite(path: path, reason: problem)
    }
    if options.format == .fogOfWorld {
      return try FogOfWorldExport(explorer: self, options: options).write(to: path)
    }
    if options.format == .parquetDataset {
      return try ParquetDatasetExport(explorer: self, options: options).write(to: path)
    }
    let target = try ExportTarget(
      path: path, options.format,
      layerCount: options.writtenLayers.count, keeping: store.files, replacing: isReplacing,
      now: store.options.now())
    let feed = ExportFeed(
      target.writer, path: store.path, showsControlCharacters: path == "-")
    var notes: [String] = []
    do {
      notes = try read { snapshot in
        let notes = try feed.addLayers(options, of: snapshot, by: self)
        try feed.finish()
        return notes
      }
    } catch {
      if let failure = feed.failure { throw target.error(for: failure) }
      throw error
    }
    let bytes = try target.finish()
    return ExportReport(
      path: path, format: options.format, bytes: bytes, layers: feed.layers, notes: notes)
  }
}

extension Explorer {
  /// Writes what the store has to a file that other programs read. The file is readable by its
  /// owner only, gets its name once it is complete, and never replaces the store.
  ///
  /// Nothing near a privacy zone is in it, nor the zones themselves.
  ///
  /// ```swift
  /// var options = ExportOptions(format: .csv)
  /// options.layers = [.fixes]
  /// let report = try await explorer.export(to: URL(filePath: "fixes.csv"), options: options)
  /// print(report.layers[0].features)
  /// ```
  ///
  /// - Parameters:
  ///   - file: the file. The folder of a format that is one
  ///     (``ExportOptions/Format/fogOfWorld``, ``ExportOptions/Format/parquetDataset``) must not
  ///     exist or be empty.
  ///   - options: the format, and what is exported.
  ///   - isReplacing: true to replace an existing file.
  /// - Throws: `CancellationError`, `DatabaseError.fileExists(path:)`,
  ///   `DatabaseError.cannotWrite(path:reason:)`, also if the format cannot have the layers
  ///   (``ExportOptions/layers``), and errors of reading the store. No file is written then.
  /// - Complexity: O(kept fixes + regions + tiles); memory does not grow with their number, except
  ///   in the formats whose pages say so.
  public func export(
    to file: URL, options: ExportOptions, replacing isReplacing: Bool = false
  ) async throws -> ExportReport {
    let path = file.filePath
    return try await blocking {
      try $0.export(to: path, options: options, replacing: isReplacing)
    }
  }
}

extension ExportFeed {
  /// Writes the layers of an export.
  ///
  /// - Returns: what is left out, one sentence each.
  fileprivate func addLayers(
    _ options: ExportOptions, of snapshot: Snapshot, by explorer: Explorer
  ) throws(DatabaseError) -> [String] {
    let layers = options.writtenLayers
    let selection = try ExportSelection(
      options, includingCells: layers.contains(.coverage) && !options.drawsDiscs, of: snapshot,
      by: explorer)
    var notes: [String] = []
    for name in layers {
      var loneFixes = 0
      try layer(name) { () throws(DatabaseError) in
        switch name {
        case .regions: try addRegions(selection, of: snapshot)
        case .visits: try addVisits(selection, of: snapshot)
        case .tracks: loneFixes = try addTracks(selection, of: snapshot)
        case .fixes: try addFixes(selection, of: snapshot)
        case .coverage where options.drawsDiscs:
          notes += try addDiscs(selection, of: snapshot)
        case .coverage: try addCoverage(selection, of: snapshot, by: explorer)
        case .places: try addPlaces(selection, of: snapshot, by: explorer)
        }
      }
      if loneFixes > 0 {
        notes.append(
          "\(loneFixes) kept \(loneFixes == 1 ? "fix has" : "fixes have") no neighbor to draw a "
            + "line to; the layer fixes has them all.")
      }
    }
    if options.format == .geoJSONLines, self.layers.allSatisfy({ $0.features == 0 }) {
      notes.append("It has no features, so it is empty; GDAL and QGIS cannot open an empty file.")
    }
    return selection.notes + notes
  }
}
