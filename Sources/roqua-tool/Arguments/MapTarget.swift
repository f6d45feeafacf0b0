import ArgumentParser
import Foundation
import Roqua

/// What `roqua map` writes, from the name of the file.
enum MapTarget {
  /// A page for browsers.
  case page
  /// Tiles for maps: an archive or a folder.
  case tiles(MapTileOptions.Format)

  /// - Parameters:
  ///   - path: ends with `.html`, `.mbtiles` or `.pmtiles`; any other path is a folder of tiles if
  ///     a format is given.
  ///   - format: the format of tiles, if it is given.
  /// - Throws: `ValidationError` for a path that says nothing.
  init(path: String, format: MapTileOptions.Format?) throws {
    let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    switch ending {
    case "html", "htm":
      guard format == nil else { throw ValidationError("--format is for tiles, not for a page.") }
      self = .page
    case "mbtiles", "pmtiles": self = .tiles(format ?? .png)
    default:
      if path == "-", format == nil {
        self = .page
      } else if ending.isEmpty, let format {
        self = .tiles(format)
      } else {
        throw ValidationError(
          "The name must end in .html for a page, or in .mbtiles or .pmtiles for tiles; --format "
            + "png or mvt writes a folder of tiles.")
      }
    }
  }
}

extension MapTileOptions.Format: ExpressibleByArgument {}

/// Zooms as people write them: `12`, `0-12`.
struct ZoomRange: ExpressibleByArgument {
  let zooms: ClosedRange<Int>

  init?(argument: String) {
    let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last,
      MapTileOptions.zoomRange.contains(first), MapTileOptions.zoomRange.contains(last)
    else { return nil }
    zooms = first...last
  }
}
