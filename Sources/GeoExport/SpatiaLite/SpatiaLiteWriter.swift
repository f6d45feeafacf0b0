import SQLiteLayer

/// Writes layers as a SpatiaLite 5 database: a table for each layer with its spatial index, and the
/// tables, views and triggers that SpatiaLite itself makes.
///
/// Memory: 32 bytes for each feature of the present layer, and 30 MB for SQLite's pages, a batch of
/// rows and SpatiaLite. ``add(_:)`` keeps no feature.
///
/// `docs/formats/spatialite.md` gives the choices.
package final class SpatiaLiteWriter: LayerWriter {
  private let database: ExportDatabase
  private let description: ExportDescription
  private var table: FeatureTable?

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: an empty file that only this process uses. It is complete after ``finish()``.
  ///   - description: its time is that of the layers' statistics.
  /// - Throws: ``ExportFailure/failed(reason:)`` if SpatiaLite is not installed, too.
  package init(path: String, description: ExportDescription) throws(ExportFailure) {
    self.description = description
    database = try ExportDatabase(path: path)
    do throws(SpatiaLiteFailure) {
      try SpatiaLiteModule.load(into: database.connection)
    } catch {
      throw .failed(reason: error.description)
    }
    // In this transaction instead of one of its own, and only with the coordinate systems that
    // measure on the ellipsoid WGS 84, which takes a twentieth of the space of all.
    try call("InitSpatialMetaData(0, 'WGS84')")
  }

  package func begin(_ layer: ExportLayer) throws(ExportFailure) {
    try database.execute(SpatiaLiteSchema.table(of: layer))
    // Both while the table is empty. Triggers do not run on this connection, so that rows can be
    // inserted before they are in the index.
    let column = "'\(layer.name)', '\(SpatiaLiteSchema.geometryColumn)'"
    let kind = SpatiaLiteSchema.geometryType(of: layer.shape)
    let dimensions = SpatiaLiteSchema.dimensions(of: layer.shape)
    try call(
      "AddGeometryColumn(\(column), \(SpatiaLiteSchema.system), '\(kind)', '\(dimensions)')")
    try call("CreateSpatialIndex(\(column))")
    table = try FeatureTable(
      layer, in: database, geometryColumn: SpatiaLiteSchema.geometryColumn
    ) { geometry, bounds, shape, bytes in
      SpatiaLiteBlob.append(geometry, bounds, shape, to: &bytes)
    }
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    try table?.append(feature)
  }

  package func end() throws(ExportFailure) {
    guard let table else { return }
    self.table = nil
    try table.finish(tree: SpatiaLiteSchema.index(of: table.layer))
    let bounds = table.bounds
    let edges: [ExportValue] = [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY].map {
      bounds.isEmpty ? .null : .real($0)
    }
    let time = ExportValue.time(description.created)
    try database.run(
      """
      UPDATE geometry_columns_statistics SET last_verified = ?, row_count = ?,
        extent_min_x = ?, extent_min_y = ?, extent_max_x = ?, extent_max_y = ?
      WHERE f_table_name = ?
      """, [time, .integer(Int64(table.count))] + edges + [.text(table.layer.name)])
    // The statistics count as outdated if they are older than the last change.
    try database.run(
      "UPDATE geometry_columns_time SET last_insert = ? WHERE f_table_name = ?",
      [time, .text(table.layer.name)])
  }

  package func finish() throws(ExportFailure) {
    try database.commit()
  }

  /// Calls a function of SpatiaLite that returns 1 if it succeeds.
  private func call(_ function: String) throws(ExportFailure) {
    let result = try ExportDatabase.rethrowing { () throws(DatabaseError) in
      try database.connection.integer("SELECT \(function)")
    }
    guard result == 1 else {
      throw .failed(reason: "SpatiaLite's function \(function.prefix { $0 != "(" }) has failed")
    }
  }
}
