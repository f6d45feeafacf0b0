import ByteStreams
import Foundation
import GeoStore
import Geodesy
import GridHash
import TrackIngest
import SQLiteLayer

/// The result of importing a coverage file.
///
/// ```swift
/// let file = try CoverageFile(url: URL(filePath: "friend.coverage"))
/// let result = try await explorer.importCoverage(file)
/// print(result.isDuplicate ? "already imported" : "\(result.cellsAdded) new cells")
/// ```
public struct CoverageImport: Sendable {
  /// The imported file.
  package let file: CoverageFile
  /// True if its bytes were in the store already, in which case nothing changed.
  public let isDuplicate: Bool
  /// Cells of the file that were not explored before.
  public let cellsAdded: Int
  /// Cells of the file that were left out because they could have been explored from inside a
  /// privacy zone.
  package let cellsWithheld: Int
  /// The area of the cells added, in square kilometers.
  public let areaAddedSquareKilometers: Double
}

/// The result of exporting a coverage file.
///
/// ```swift
/// let export = try await explorer.exportCoverage(to: URL(filePath: "explored.coverage"))
/// print("\(export.cells) cells in \(export.bytes) bytes")
/// ```
public struct CoverageExport: Sendable {
  /// The path as given; `-` for standard output.
  package let path: String
  /// The size of the file in bytes.
  public let bytes: Int
  /// SHA-256 of the bytes, 64 hexadecimal digits in lower case.
  package let sha256: String
  /// The number of explored cells.
  public let cells: Int
  /// The number of tiles that contain an explored cell.
  package let tiles: Int
  /// What was left out because it lies near a privacy zone, in at most one sentence.
  public let notes: [String]
}

extension Explorer {
  /// Imports the cells of a coverage file as a source without fixes, in one transaction. The store
  /// keeps the cells; importing a file with the same bytes again changes nothing.
  ///
  /// - Throws: `StoreError.gridMismatch` if the store has another exploration radius.
  public func importCoverage(_ file: CoverageFile) throws -> CoverageImport {
    let now = store.options.now()
    // Checked before the first change creates the store.
    try store.read { snapshot in
      try snapshot.settings.check(file.grid, path: store.path)
    }
    let result = try store.write { session in
      if try session.hasSource(sha256: file.sha256) {
        session.cancel()
        return CoverageImport(
          file: file, isDuplicate: true, cellsAdded: 0, cellsWithheld: 0,
          areaAddedSquareKilometers: 0)
      }
      let writer = try session.beginCellSource(grid: file.grid)
      try file.forEachTile { (key, tile) throws(DatabaseError) in
        try writer.append(tile, at: key)
      }
      let report: JSONValue = [
        "path": .string(file.path), "format": "coverage", "status": "imported",
        "sha256": .string(file.sha256), "bytes": .integer(file.byteCount),
        "cells": .integer(file.cells - writer.withheldCount),
        "importedAt": .string(now.iso8601),
      ]
      let source = SourceDescription(
        sha256: file.sha256, path: file.path, format: "coverage", bytes: file.byteCount,
        points: 0, firstTime: nil, lastTime: nil, report: report.description)
      _ = try session.replaceIncomplete(sha256: file.sha256)
      let changes = try writer.finish(source)
      try session.forgetReplaced()
      return CoverageImport(
        file: file, isDuplicate: false, cellsAdded: changes.cellsAdded,
        cellsWithheld: changes.withheld,
        areaAddedSquareKilometers: changes.areaAddedSquareKilometers)
    }
    try store.checkPlace()
    store.eraseIfOwed()
    return result
  }

  /// Does what the async form does, on the calling thread; the path `-` is standard output.
  package func exportCoverage(
    to path: String, in box: BoundingBox? = nil, of query: StatisticsQuery = StatisticsQuery(),
    replacing isReplacing: Bool = false
  ) throws -> CoverageExport {
    let file = try DatabaseOutput(path: path, keeping: store.files, replacing: isReplacing)
    var hash = SHA256()
    var bytes = 0
    let (cells, tiles, notes) = try read { snapshot in
      let selection = try CellSelection(query, of: snapshot, by: self)
      let withholding = try Withholding(of: snapshot)
      let written = try snapshot.serializeCoverage(
        in: box,
        selecting: { tile, key in
          withholding.clipped(selection.clipped(tile, at: key), at: key)
        }
      ) { piece in
        piece.withUnsafeBytes { hash.update($0) }
        bytes += piece.count
        return file.write(piece)
      }
      return (written.cells, written.tiles, withholding.notes)
    }
    try file.finish()
    return CoverageExport(
      path: path, bytes: bytes, sha256: hash.finalizeHexadecimal(), cells: cells, tiles: tiles,
      notes: notes)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// A text.
  package init(stringLiteral value: String) { self = .string(value) }
}
