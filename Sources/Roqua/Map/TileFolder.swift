import ByteStreams
import FogMap
import Foundation
import GeoStore
import GridHash
import SQLiteLayer

/// Writes map tiles to a folder, `ZOOM/COLUMN/ROW.png`, which any web server can serve. Rows count
/// from the north. Shapes are not compressed.
///
/// The file `.roqua-tiles` holds the digests of the squares of cells that the tiles show. So a
/// folder from before is renewed: only changed tiles are written. While tiles are written, that
/// file marks the folder as incomplete and identifies its tiles: if the process is killed, the next
/// run for the same tiles writes all. Only tiles are ever replaced or removed.
struct TileFolder {
  private static let indexName = ".roqua-tiles"
  private static let partialName = ".roqua-partial"

  /// What the file says while tiles of a purpose are written.
  private static func incomplete(_ purpose: String, _ grid: Grid) -> SquareDigests {
    SquareDigests(Coverage(grid: grid), purpose: "incomplete \(purpose)")
  }

  private let path: String
  private let job: MapTileJob
  private let digests: SquareDigests
  private var report: MapTileReport
  /// The folder of the last tile written, which exists.
  private var lastFolder = ""

  /// Writes or renews a folder.
  ///
  /// - Parameter isReplacing: true to write into a folder with other contents, or with tiles of
  ///   other options.
  static func write(
    _ coverage: Coverage, to path: String, _ options: MapTileOptions, replacing isReplacing: Bool
  ) throws(DatabaseError) -> MapTileReport {
    let job = try MapTileJob(coverage, options, compressed: false, path: path)
    let digests = SquareDigests(coverage, purpose: job.purpose)
    let index = FilePath(path).appending(indexName)
    let bytes = access(index, F_OK) == 0 ? try? FilePath(index).contents() : nil
    let old = bytes.flatMap { SquareDigests($0) }
    let changed = old.flatMap { job.changes(digests, since: $0) }
    let isIncomplete = ([job.purpose] + job.earlierPurposes).contains {
      bytes == incomplete($0, coverage.grid).bytes
    }
    if changed == nil, !isIncomplete, !isReplacing, !names(in: path).isEmpty {
      throw .fileExists(path: path)
    }
    var folder = TileFolder(
      path: path, job: job, digests: digests,
      report: MapTileReport(path: path, isRenewal: changed != nil))
    if let changed, changed.isEmpty, old?.purpose == digests.purpose { return folder.report }
    try folder.makeFolder(path)
    try folder.writeIndex(incomplete(job.purpose, coverage.grid))
    if let changed { try folder.renew(changed) } else { try folder.writeAll() }
    try folder.writeIndex(digests)
    return folder.report
  }

  private mutating func renew(_ changed: [Int64]) throws(DatabaseError) {
    let meter = WorkMeter.current
    try job.pyramid.forEachChange(changed) { (tile, change) throws(DatabaseError) in
      try Cancellation.checkCurrent(for: path)
      meter?.add(1)
      let file = name(of: tile)
      switch change {
      case .write(let bytes):
        if access(file, F_OK) == 0, (try? FilePath(file).contents()) == bytes { return }
        try write(bytes, tile)
      case .keepOrWrite(let bytes): if access(file, F_OK) != 0 { try write(bytes, tile) }
      case .remove: try remove(file)
      }
    }
  }

  private mutating func writeAll() throws(DatabaseError) {
    let meter = WorkMeter.current
    var written: Set<UInt64> = []
    try job.pyramid.forEachTile(job.coverage.tileKeys) { (tile, bytes) throws(DatabaseError) in
      try Cancellation.checkCurrent(for: path)
      meter?.add(1)
      written.insert(tile.number)
      try write(bytes, tile)
    }
    try removeOthers(written)
  }

  /// Removes the tiles of earlier runs that are not among those written.
  private mutating func removeOthers(_ written: Set<UInt64>) throws(DatabaseError) {
    for zoomName in Self.names(in: path) {
      guard let zoom = Self.number(zoomName), MapTile.zooms.contains(zoom) else { continue }
      let zoomFolder = FilePath(path).appending(zoomName)
      for columnName in Self.names(in: zoomFolder) {
        guard let x = Self.number(columnName) else { continue }
        let columnFolder = FilePath(zoomFolder).appending(columnName)
        for name in Self.names(in: columnFolder) {
          let parts = name.split(separator: ".", omittingEmptySubsequences: false)
          guard parts.count == 2, parts[1] == "png" || parts[1] == "mvt",
            let y = Self.number(String(parts[0])), let tile = MapTile(zoom: zoom, x: x, y: y)
          else { continue }
          if parts[1] == job.options.format.rawValue, written.contains(tile.number) { continue }
          try remove(FilePath(columnFolder).appending(name))
        }
      }
    }
  }

  // MARK: - Files

  private func name(of tile: MapTile) -> String {
    FilePath(path).appending("\(tile.zoom)/\(tile.x)/\(tile.y).\(job.options.format.rawValue)")
  }

  private mutating func write(_ bytes: [UInt8], _ tile: MapTile) throws(DatabaseError) {
    let folder = FilePath(path).appending("\(tile.zoom)/\(tile.x)")
    if folder != lastFolder { try makeFolder(folder) }
    lastFolder = folder
    let partial = FilePath(path).appending(Self.partialName)
    unlink(partial)
    var rest = bytes
    do {
      // A link at this name would lead elsewhere; `write` makes a new file or fails.
      try FilePath(partial).write {
        defer { rest = [] }
        return rest
      }
    } catch {
      throw .cannotWrite(
        path: path, reason: (error as? FileFailure)?.reason ?? "a tile cannot be written")
    }
    guard rename(partial, name(of: tile)) == 0 else { throw failure() }
    report.written += 1
  }

  private mutating func remove(_ file: String) throws(DatabaseError) {
    if unlink(file) == 0 {
      report.removed += 1
    } else if errno != ENOENT {
      throw failure()
    }
  }

  private func makeFolder(_ folder: String) throws(DatabaseError) {
    errno = FilePath(folder).makeFolders().error
    guard errno == 0 else { throw failure() }
  }

  private func writeIndex(_ digests: SquareDigests) throws(DatabaseError) {
    let file = try DatabaseOutput(
      path: FilePath(path).appending(Self.indexName), keeping: [:], replacing: true)
    _ = file.write(digests.bytes)
    try file.finish()
  }

  private func failure() -> DatabaseError {
    .cannotWrite(path: path, reason: String(cString: strerror(errno)))
  }

  /// A number without signs and leading zeros, as tiles are named; nil for any other text.
  private static func number(_ text: String) -> Int? {
    Int(text).flatMap { String($0) == text && $0 >= 0 ? $0 : nil }
  }

  /// The names in a folder; empty if it cannot be read.
  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
