import GeoStore
import Geodesy
import GridHash
import TestSupport

@testable import Roqua

/// An explorer in its own temporary folder.
final class Fixture {
  let folder: TemporaryFolder
  let explorer: Explorer

  init() throws {
    folder = try TemporaryFolder()
    explorer = try Explorer(storePath: folder.file("s.sqlite"))
  }

  /// Tracks in small towns only: counting the cells of a city with a radius of 25 km takes many
  /// seconds in a debug build.
  static let townSamples = ["2024-09-14-strasbourg-kehl.gpx", "2024-03-20-taveuni-boat.gpx"].map(
    PackageFolder.sample)
}

extension Explorer {
  func allRegions() throws -> [VisitedRegion] {
    try store.read { snapshot in try snapshot.allRegions() }
  }

  func coverage() throws -> Coverage {
    try store.read { snapshot in try snapshot.coverage() }
  }

  /// All kept fixes, in the order of the store.
  func keptFixes() throws -> [KeptFix] {
    var kept: [KeptFix] = []
    try store.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { kept += $0 }
    }
    return kept
  }

  /// All regions and kept fixes, with all their values.
  func contents() throws -> [AnyHashable] {
    try allRegions().map(AnyHashable.init) + keptFixes().map(AnyHashable.init)
  }
}

extension Coverage {
  /// All explored cells.
  var cells: [Cell] {
    var cells: [Cell] = []
    for (key, tile) in tiles {
      let first = grid.firstCell(ofTile: key)
      for row in 0..<Int32(64) {
        for column in 0..<Int32(64) where tile[row: Int(row)] >> UInt64(column) & 1 == 1 {
          cells.append(Cell(row: first.row + row, column: first.column + column))
        }
      }
    }
    return cells
  }
}

extension Grid {
  /// The center of a cell, as a coordinate for the geocoder.
  func coordinate(of cell: Cell) -> Coordinate {
    let center = center(of: cell)
    return Coordinate(center.latitudeDegrees, center.longitudeDegrees)
  }
}

/// Returns whether two areas agree to one part in a billion.
func isClose(_ left: Double, _ right: Double) -> Bool {
  abs(left - right) <= 1e-9 * max(abs(left), abs(right), 1e-9)
}
