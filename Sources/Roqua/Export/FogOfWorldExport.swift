import ByteStreams
import GeoExport
import GeoStore
import Geodesy
import SQLiteLayer

/// Writes explored cells as a `Sync` folder of Fog of World.
struct FogOfWorldExport {
  let explorer: Explorer
  let options: ExportOptions

  func write(to path: String) throws -> ExportReport {
    try FolderExport.write(to: path) { folder, target in
      let (bytes, files, notes) = try writeFiles(to: folder, target)
      return ExportReport(
        path: path, format: .fogOfWorld, bytes: bytes,
        layers: [ExportReport.Layer(layer: .coverage, features: files)], notes: notes)
    }
  }

  private func writeFiles(
    to folder: PartialFolder, _ target: String
  ) throws -> (bytes: Int, files: Int, notes: [String]) {
    var (bytes, files) = (0, 0)
    var stopped: ExportFailure?
    let geocoder = explorer.geocoder
    do {
      return try explorer.read { snapshot in
        let grid = snapshot.settings.grid
        let selection = try ExportSelection(
          options, includingCells: true, of: snapshot, by: explorer)
        do throws(ExportFailure) {
          let writer = try FogOfWorldWriter(
            grid: grid, country: { geocoder.place(at: $0).countryCode }
          ) { (name, content) throws(ExportFailure) in
            do throws(FileFailure) { try folder.write(content, to: name) } catch {
              throw .failed(reason: error.reason)
            }
            if Cancellation.current?.isCancelled == true { throw .canceled }
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
}
