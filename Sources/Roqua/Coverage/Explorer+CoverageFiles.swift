import ByteStreams
import Foundation
import GeoStore
import Geodesy
import GridHash
import TrackIngest
import SQLiteLayer

/// What taking in a coverage file came to.
///
/// ```swift
/// let file = try CoverageFile(url: URL(filePath: "friend.coverage"))
/// let result = try explorer.importCoverage(file)
/// print(result.isDuplicate ? "already imported" : "\(result.cellsAdded) new cells")
/// ```
public struct CoverageImport: Sendable {
  /// The file.
  public let file: CoverageFile
  /// Whether its bytes were in the store already: then nothing changed.
  public let isDuplicate: Bool
  /// Cells of the file that were not explored before.
  public let cellsAdded: Int
  /// Their area in square kilometers.
  public let areaAddedSquareKilometers: Double
}

/// What was written to a coverage file.
///
/// ```swift
/// let export = try explorer.exportCoverage(to: URL(filePath: "explored.coverage"))
/// print("\(export.cells) cells in \(export.bytes) bytes")
/// ```
public struct CoverageExport: Sendable {
  /// The path as given; `-` for standard output.
  public let path: String
  /// Bytes of the file.
  public let bytes: Int
  /// SHA-256 of the bytes, 64 hexadecimal digits in lower case.
  public let sha256: String
  /// Explored cells.
  public let cells: Int
  /// Tiles in which there is one.
  public let tiles: Int
}

extension Explorer {
  /// Adds the cells of a coverage file, as a source that has no fixes: the store keeps them, and a
  /// file with the same bytes again changes nothing. One transaction.
  ///
  /// - Throws: `StoreError.gridMismatch` where the store has another exploration radius.
  public func importCoverage(_ file: CoverageFile) throws -> CoverageImport {
    let now = store.options.now()
    // Before the first change makes the store.
    try store.read { snapshot in
      try snapshot.settings.check(file.grid, path: store.path)
    }
    let result = try store.write { session in
      if try session.hasSource(sha256: file.sha256) {
        session.cancel()
        return CoverageImport(
          file: file, isDuplicate: true, cellsAdded: 0, areaAddedSquareKilometers: 0)
      }
      let writer = try session.beginCellSource(grid: file.grid)
      try file.forEachTile { (key, tile) throws(DatabaseError) in
        try writer.append(tile, at: key)
      }
      let report: JSONValue = [
        "path": .string(file.path), "format": "coverage", "status": "imported",
        "sha256": .string(file.sha256), "bytes": .integer(file.byteCount),
        "cells": .integer(file.cells), "importedAt": .string(now.iso8601),
      ]
      let changes = try writer.finish(
        SourceDescription(
          sha256: file.sha256, path: file.path, format: "coverage", bytes: file.byteCount,
          points: 0, firstTime: nil, lastTime: nil, report: report.description))
      return CoverageImport(
        file: file, isDuplicate: false, cellsAdded: changes.cellsAdded,
        areaAddedSquareKilometers: changes.areaAddedSquareKilometers)
    }
    try store.checkPlace()
    return result
  }

  /// Writes what is explored, or what of it lies in a box, to a coverage file; `-` is standard
  /// output. The same cells give the same bytes. The file is readable by its owner only, and
  /// appears under its name when it is whole. It never takes the place of the store.
  ///
  /// - Parameters:
  ///   - path: Where to; `-` for standard output.
  ///   - box: Only cells whose center lies in it; nil for all.
  ///   - isReplacing: Whether a file that exists may be replaced.
  /// - Throws: `DatabaseError.fileExists(path:)` or `DatabaseError.cannotWrite(path:reason:)`.
  public func exportCoverage(
    to path: String, in box: BoundingBox? = nil, replacing isReplacing: Bool = false
  ) throws -> CoverageExport {
    let file = try DatabaseOutput(path: path, keeping: store.files, replacing: isReplacing)
    var hash = SHA256()
    var bytes = 0
    let (cells, tiles) = try read { snapshot in
      try snapshot.serializeCoverage(in: box) { piece in
        piece.withUnsafeBytes { hash.update($0) }
        bytes += piece.count
        return file.write(piece)
      }
    }
    try file.finish()
    return CoverageExport(
      path: path, bytes: bytes, sha256: hash.finalizeHexadecimal(), cells: cells, tiles: tiles)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
}
