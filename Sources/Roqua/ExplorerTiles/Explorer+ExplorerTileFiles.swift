import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// A file of explorer tiles that was written.
///
/// ```swift
/// let tiles = try await explorer.explorerTileReport(ExplorerTileQuery(zoom: 14)).tiles
/// let export = try await explorer.writeExplorerTiles(
///   Array(tiles.tiles), as: .geojson, to: "tiles.geojson")
/// print("\(export.path): \(export.tiles) tiles, \(export.bytes) bytes")
/// ```
package struct ExplorerTileExport: Hashable, Sendable {
  /// The path of the file.
  package let path: String
  /// The number of tiles in it.
  package let tiles: Int
  /// The size of the file in bytes.
  package let bytes: Int
  /// What was left out because it lies near a privacy zone, in at most one sentence.
  package let notes: [String]
}

extension Explorer {
  /// The format of a file of explorer tiles.
  package enum ExplorerTileFormat: String, Sendable {
    /// A polygon for each tile (RFC 7946).
    case geojson
    /// A waypoint at the center of each tile (GPX 1.1), for watches and apps. It has no track,
    /// which other programs would take for a visit.
    case gpx
  }

  /// Writes explorer tiles to a file; `-` is standard output. The file is readable by its owner
  /// only and gets its name once it is complete. It never replaces the store. Tiles that touch the
  /// hidden ground near a privacy zone are left out, visited or missing.
  ///
  /// ```swift
  /// var query = ExplorerTileQuery(zoom: 14)
  /// query.center = here
  /// query.missingLimit = 50
  /// let missing = try await explorer.explorerTileReport(query).missing ?? []
  /// try await explorer.writeExplorerTiles(missing.map(\.tile), as: .gpx, to: "missing.gpx")
  /// ```
  ///
  /// - Throws: `DatabaseError.fileExists(path:)` or `DatabaseError.cannotWrite(path:reason:)`.
  @discardableResult
  package func writeExplorerTiles(
    _ tiles: some Sequence<ExplorerTile>, as format: ExplorerTileFormat, to path: String,
    replacing isReplacing: Bool = false
  ) throws -> ExplorerTileExport {
    let withholding = try read { try Withholding(of: $0) }
    let file = try DatabaseOutput(path: path, keeping: store.files, replacing: isReplacing)
    var (count, bytes) = (0, 0)
    var text = format.start
    /// Returns false once the file cannot be written; `finish()` reports that.
    func flush() -> Bool {
      let piece = Array(text.utf8)
      bytes += piece.count
      text.removeAll(keepingCapacity: true)
      return file.write(piece)
    }
    for tile in tiles {
      let isHidden = withholding.isHidden {
        $0.touches(
          latitudes: tile.southDegrees...tile.northDegrees,
          longitudes: tile.westDegrees...tile.eastDegrees)
      }
      if isHidden { continue }
      format.append(tile, isFirst: count == 0, to: &text)
      count += 1
      if text.utf8.count >= 1 << 18, !flush() { break }
    }
    text += format.end
    _ = flush()
    try file.finish()
    return ExplorerTileExport(path: path, tiles: count, bytes: bytes, notes: withholding.notes)
  }
}

extension Explorer.ExplorerTileFormat {
  fileprivate var start: String {
    switch self {
    case .geojson: #"{"type":"FeatureCollection","features":["# + "\n"
    case .gpx:
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Roqua" xmlns="http://www.topografix.com/GPX/1/1">

      """
    }
  }

  fileprivate var end: String {
    switch self {
    case .geojson: "\n]}\n"
    case .gpx: "</gpx>\n"
    }
  }

  fileprivate func append(_ tile: ExplorerTile, isFirst: Bool, to text: inout String) {
    switch self {
    case .geojson:
      let (west, south, east, north) = (
        Self.degrees(tile.westDegrees), Self.degrees(tile.southDegrees),
        Self.degrees(tile.eastDegrees), Self.degrees(tile.northDegrees)
      )
      if !isFirst { text += ",\n" }
      // Counterclockwise, as RFC 7946 has it.
      text += """
        {"type":"Feature","properties":{"tile":"\(tile)","zoom":\(tile.zoom),"x":\(tile.x),\
        "y":\(tile.y)},"geometry":{"type":"Polygon","coordinates":[[[\(west),\(south)],\
        [\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]]]}}
        """
    case .gpx:
      let center = tile.center
      text += """
          <wpt lat="\(Self.degrees(center.latitudeDegrees))" \
        lon="\(Self.degrees(center.longitudeDegrees))">\
        <name>\(tile)</name><type>explorer tile</type></wpt>

        """
    }
  }

  /// A number of degrees to 1e-7, as in XML and JSON, without an exponent.
  private static func degrees(_ value: Double) -> String {
    let units = Int64((value * 1e7).rounded())
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    var fraction = padded.suffix(7)
    while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
    return (units < 0 ? "-" : "") + padded.dropLast(7) + (fraction == "0" ? "" : "." + fraction)
  }
}
