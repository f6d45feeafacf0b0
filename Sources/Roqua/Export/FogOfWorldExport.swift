import ByteStreams
import Foundation
import GeoExport
import GeoStore
import Geodesy
import SQLiteLayer

/// Writes explored cells as a `Sync` folder of Fog of World.
///
/// The files are made in a folder next to the one that was asked for, which gets its name once all
/// are complete.
struct FogOfWorldExport {
  let explorer: Explorer
  let options: ExportOptions

  func write(to path: String) throws -> ExportReport {
    guard path != "-" else {
      throw DatabaseError.cannotWrite(
        path: path, reason: "this format is a folder and cannot be written to standard output")
    }
    let target = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    try check(target)
    let partial = FilePath(FilePath(target).folder)
      .appending(".\(FilePath(target).name).\(getpid()).partial")
    let made = FilePath(partial).makeFolders()
    guard made.error == 0 else { throw failure(target, made.error) }
    var isComplete = false
    defer { if !isComplete { try? FileManager.default.removeItem(atPath: partial) } }
    let (bytes, files, notes) = try writeFiles(to: partial, target)
    // An empty folder of that name gives way.
    rmdir(target)
    guard rename(partial, target) == 0 else { throw failure(target, errno) }
    isComplete = true
    return ExportReport(
      path: path, format: .fogOfWorld, bytes: bytes,
      layers: [ExportReport.Layer(layer: .coverage, features: files)], notes: notes)
  }

  private func check(_ target: String) throws {
    var status = stat()
    guard lstat(target, &status) == 0 else { return }
    let names = try? FileManager.default.contentsOfDirectory(atPath: target)
    guard names?.isEmpty == true else { throw DatabaseError.fileExists(path: target) }
  }

  private func failure(_ path: String, _ code: Int32) -> DatabaseError {
    .cannotWrite(path: path, reason: String(cString: strerror(code)))
  }

  private func writeFiles(
    to folder: String, _ target: String
  ) throws -> (bytes: Int, files: Int, notes: [String]) {
    var (bytes, files) = (0, 0)
    var stopped: ExportFailure?
    let geocoder = explorer.geocoder
    do {
      return try explorer.read { snapshot in
        let grid = snapshot.settings.grid
        let selection = try ExportSelection(options, of: snapshot, by: explorer)
        do throws(ExportFailure) {
          let writer = try FogOfWorldWriter(
            grid: grid, country: { geocoder.place(at: $0).countryCode }
          ) { (name, content) throws(ExportFailure) in
            try Self.write(content, to: FilePath(folder).appending(name))
            bytes += content.count
            files += 1
          }
          try Self.add(selection, of: snapshot, by: explorer, to: writer)
        } catch {
          stopped = error
          throw DatabaseError.interrupted(path: target)
        }
        return (bytes, files, selection.notes)
      }
    } catch {
      if case .failed(let reason) = stopped {
        throw DatabaseError.cannotWrite(path: target, reason: reason)
      }
      throw error
    }
  }

  private static func add(
    _ selection: ExportSelection, of snapshot: Snapshot, by explorer: Explorer,
    to writer: FogOfWorldWriter
  ) throws(ExportFailure) {
    var stopped: ExportFailure?
    do throws(DatabaseError) {
      try explorer.forEachTile(in: snapshot, of: snapshot.settings.grid) {
        (key, tile) throws(DatabaseError) in
        let tile = selection.clipped(tile, at: key)
        if tile.isEmpty { return }
        do throws(ExportFailure) { try writer.add(tile, at: key) } catch {
          stopped = error
          throw .interrupted(path: "")
        }
      }
    } catch {
      throw stopped ?? .failed(reason: error.description)
    }
    try writer.finish()
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(ExportFailure) {
    var rest = bytes
    do {
      try FilePath(path).write {
        defer { rest = [] }
        return rest
      }
    } catch {
      throw .failed(
        reason: (error as? FileFailure)?.reason ?? "a file in it cannot be written")
    }
  }
}
