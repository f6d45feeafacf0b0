/// The tables of an MBTiles file.
///
/// - Source: MBTiles Specification 1.3.
package enum MBTilesSchema {
  /// `PRAGMA application_id` of MBTiles files: `MPBX`.
  package static let applicationID = 0x4D50_4258

  /// The tables that every reader expects, and one that only Roqua reads: what is needed to renew
  /// the tiles that have changed.
  package static let tables = """
    CREATE TABLE metadata (name text, value text);
    CREATE UNIQUE INDEX metadata_index ON metadata (name);
    CREATE TABLE tiles (
      zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    CREATE TABLE roqua_tiles (name text PRIMARY KEY, value blob);
    """

  /// The index of the table `tiles`, made after its rows.
  package static let index = """
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
    """

  /// The row of a tile in the table `tiles`, which counts them from the south.
  package static func row(of tile: MapTile) -> Int { (1 << tile.zoom) - 1 - tile.y }

  /// The rows of the table `metadata`.
  ///
  /// - Parameter credits: the attribution that a map shows.
  package static func metadata(
    name: String, credits: String, format: TileFormat, zooms: ClosedRange<Int>,
    bounds: PMTilesWriter.Bounds
  ) -> [(name: String, value: String)] {
    func degrees(_ value: Int) -> String {
      let (whole, part) = abs(value).quotientAndRemainder(dividingBy: 10_000_000)
      let digits = String(part)
      return (value < 0 ? "-" : "") + "\(whole)."
        + String(repeating: "0", count: 7 - digits.count) + digits
    }
    let edges = [bounds.west, bounds.south, bounds.east, bounds.north]
    let middle = [
      degrees(Int(bounds.longitude)), degrees(Int(bounds.latitude)),
      String(max(zooms.lowerBound, min(zooms.upperBound, bounds.zoom))),
    ]
    var rows = [
      ("name", name), ("format", format == .png ? "png" : "pbf"), ("type", "overlay"),
      ("version", "1"), ("description", description(of: format)), ("attribution", credits),
      ("minzoom", String(zooms.lowerBound)), ("maxzoom", String(zooms.upperBound)),
      ("bounds", edges.map { degrees(Int($0)) }.joined(separator: ",")),
      ("center", middle.joined(separator: ",")),
    ]
    if format == .mvt { rows.append(("json", "{\(layers(zooms))}")) }
    return rows
  }

  /// The JSON object that a PMTiles archive has instead.
  ///
  /// - Parameters:
  ///   - name: JSON text, with its quotation marks.
  ///   - credits: the attribution that a map shows, in the same form.
  package static func json(
    name: String, credits: String, format: TileFormat, zooms: ClosedRange<Int>
  ) -> String {
    let common = """
      "name":\(name),"type":"overlay","description":"\(description(of: format))",\
      "attribution":\(credits)
      """
    return format == .mvt ? "{\(common),\(layers(zooms))}" : "{\(common)}"
  }

  private static func description(of format: TileFormat) -> String {
    format == .png ? "Fog over the unexplored area" : "The explored area"
  }

  private static func layers(_ zooms: ClosedRange<Int>) -> String {
    """
    "vector_layers":[{"id":"\(VectorTileEncoder.layer)",\
    "fields":{"\(VectorTileEncoder.attribute)":"Number"},\
    "minzoom":\(zooms.lowerBound),"maxzoom":\(zooms.upperBound)}]
    """
  }
}
