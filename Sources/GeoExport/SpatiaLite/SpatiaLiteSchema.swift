/// The tables of layers in a SpatiaLite database.
enum SpatiaLiteSchema {
  /// The name of the column of geometries.
  static let geometryColumn = "geometry"
  /// The number of WGS 84.
  static let system = 4_326

  /// The table of a layer, to which SpatiaLite adds the column of geometries.
  static func table(of layer: ExportLayer) -> String {
    let columns = layer.fields.map { ",\n  \"\($0.name)\" \(type(of: $0.kind))" }.joined()
    return """
      CREATE TABLE "\(layer.name)" (
        "fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL\(columns)
      )
      """
  }

  /// The name of the R-tree of a layer.
  static func index(of layer: ExportLayer) -> String { "idx_\(layer.name)_\(geometryColumn)" }

  /// The name of a kind of geometries.
  static func geometryType(of shape: ExportLayer.Shape) -> String {
    switch shape {
    case .point: "POINT"
    case .line: "LINESTRING"
    case .polygon: "POLYGON"
    }
  }

  /// The numbers of a position: x, y and, in lines, the measure.
  static func dimensions(of shape: ExportLayer.Shape) -> String { shape == .line ? "XYM" : "XY" }

  /// The name of a kind of values. GDAL and QGIS read texts in a column of `TIMESTAMP` as times,
  /// and integers of 64 bits only from `BIGINT`.
  private static func type(of kind: ExportField.Kind) -> String {
    switch kind {
    case .text: "TEXT"
    case .integer: "BIGINT"
    case .real: "DOUBLE"
    case .boolean: "BOOLEAN"
    case .time: "TIMESTAMP"
    }
  }
}
