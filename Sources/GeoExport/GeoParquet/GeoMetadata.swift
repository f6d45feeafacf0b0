/// The metadata of geometries that makes a Parquet file a GeoParquet file: a JSON text under the
/// key `geo`.
///
/// The reference system is left out, because the default is right: longitude and latitude of WGS 84
/// (OGC:CRS84). Edges are planar: they are straight in longitude and latitude, as the edges of
/// explored cells are, which follow meridians and parallels.
///
/// - Source: GeoParquet 1.1.0, "Metadata".
enum GeoMetadata {
  /// The JSON text.
  ///
  /// - Parameter extent: the box around all features; empty if there is none.
  static func text(_ shape: ExportLayer.Shape, extent: ExportBounds) -> String {
    let type =
      switch shape {
      case .point: "Point"
      case .line: "LineString"
      case .polygon: "Polygon"
      }
    let box =
      extent.isEmpty
      ? "" : #""bbox":[\#(extent.minX),\#(extent.minY),\#(extent.maxX),\#(extent.maxY)],"#
    let covering = ["xmin", "ymin", "xmax", "ymax"].map { #""\#($0)":["bbox","\#($0)"]"# }
    return #"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"#
      + #""encoding":"WKB","geometry_types":["\#(type)"],"edges":"planar","#
      + #""orientation":"counterclockwise",\#(box)"#
      + #""covering":{"bbox":{\#(covering.joined(separator: ","))}}}}}"#
  }
}
