import ArgumentParser
import Foundation
import Roqua

/// The formats of `roqua map --format`.
enum MapFormat: String, ExpressibleByArgument, CaseIterable {
  case png, webp, svg, mvt
}

/// What `roqua map` writes: the name's ending decides, and `--format` for names that have none.
enum MapTarget {
  /// A page for browsers.
  case page
  /// Tiles for maps: an archive or a folder.
  case tiles(MapTileOptions.Format)
  /// A picture.
  case picture(PictureOptions.Format)

  /// - Parameters:
  ///   - path: ends with `.html`, `.mbtiles`, `.pmtiles`, `.png`, `.webp` or `.svg`; a path without
  ///     an ending is a folder of tiles, and `-` is standard output.
  ///   - format: the format, if it is given.
  /// - Throws: `ValidationError` for a path that says nothing, or something else than the format.
  init(path: String, format: MapFormat?) throws {
    let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    let tiles = format.map { MapTileOptions.Format(rawValue: $0.rawValue) } ?? .png
    switch ending {
    case "html", "htm":
      guard format == nil else {
        throw ValidationError("--format is for tiles and pictures, not for a page.")
      }
      self = .page
    case "mbtiles", "pmtiles":
      guard let tiles else { throw ValidationError("Tiles are png or mvt.") }
      self = .tiles(tiles)
    case "png", "webp", "svg":
      guard let picture = PictureOptions.Format(rawValue: ending),
        format == nil || format?.rawValue == ending
      else { throw ValidationError("--format differs from the ending of the name.") }
      self = .picture(picture)
    default:
      if path == "-" {
        let picture = format.flatMap { PictureOptions.Format(rawValue: $0.rawValue) }
        self = picture.map { .picture($0) } ?? (format == nil ? .page : .tiles(.mvt))
      } else if ending.isEmpty, format != nil, let tiles {
        self = .tiles(tiles)
      } else {
        throw ValidationError(
          "The name must end in .html for a page, in .png, .webp or .svg for a picture, or in "
            + ".mbtiles or .pmtiles for tiles; --format png or mvt writes a folder of tiles.")
      }
    }
  }
}

/// Zooms as people write them: `12`, `0-12`, `5.5`.
struct MapZoom {
  /// The first and the last zoom; the same for a single one.
  let zooms: ClosedRange<Double>

  /// Reads one zoom, or the first and the last one.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> MapZoom {
    let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map {
      Double(String($0))
    }
    guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last,
      first >= 0, last <= PictureOptions.zooms.upperBound
    else { throw ArgumentFlaw("must be a zoom from 0 to 18, or two of them, such as 0-12.") }
    return MapZoom(zooms: first...last)
  }

  /// The zooms of tiles; nil if these are not.
  var tileZooms: ClosedRange<Int>? {
    guard let first = Int(exactly: zooms.lowerBound), let last = Int(exactly: zooms.upperBound),
      MapTileOptions.zoomRange.contains(first), MapTileOptions.zoomRange.contains(last)
    else { return nil }
    return first...last
  }

  /// The zoom of a picture; nil for a range.
  var pictureZoom: Double? {
    zooms.lowerBound == zooms.upperBound ? zooms.lowerBound : nil
  }
}
