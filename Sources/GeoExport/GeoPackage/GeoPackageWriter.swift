import SQLiteLayer

/// Writes layers as a GeoPackage 1.3: a table for each layer with its R-tree, the descriptions of
/// its columns, and metadata about the file.
///
/// Memory: 32 bytes for each feature of the present layer, and 10 MB for SQLite's pages and a batch
/// of rows. ``add(_:)`` keeps no feature.
///
/// - Source: OGC 12-128r17. `docs/formats/geopackage.md` gives the choices.
package final class GeoPackageWriter: LayerWriter {
  private let database: ExportDatabase
  private let description: ExportDescription
  private var table: FeatureTable?
  private var layers: [(layer: ExportLayer, count: Int)] = []

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: an empty file that only this process uses. It is complete after ``finish()``.
  ///   - description: what the metadata say.
  package init(path: String, description: ExportDescription) throws(ExportFailure) {
    self.description = description
    database = try ExportDatabase(path: path) { connection throws(DatabaseError) in
      try connection.execute("PRAGMA application_id = \(GeoPackageSchema.applicationID)")
      try connection.execute("PRAGMA user_version = \(GeoPackageSchema.version)")
    }
    try database.execute(GeoPackageSchema.tables)
    for system in GeoPackageSchema.systems {
      try database.run("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, ?)", system)
    }
    for table in ["gpkg_metadata", "gpkg_metadata_reference"] {
      try addExtension("gpkg_metadata", at: "extension_metadata", of: table)
    }
    for table in ["gpkg_data_columns", "gpkg_data_column_constraints"] {
      try addExtension("gpkg_schema", at: "extension_schema", of: table)
    }
  }

  package func begin(_ layer: ExportLayer) throws(ExportFailure) {
    try database.execute(GeoPackageSchema.table(of: layer))
    table = try FeatureTable(
      layer, in: database, geometryColumn: GeoPackageSchema.geometryColumn
    ) { geometry, bounds, shape, bytes in
      GeoPackageBinary.append(geometry, bounds, shape, to: &bytes)
    }
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    try table?.append(feature)
  }

  package func end() throws(ExportFailure) {
    guard let table else { return }
    self.table = nil
    let index = GeoPackageIndex(of: table.layer)
    try database.execute(index.tree)
    try table.finish(tree: index.name)
    try database.execute(index.triggers)
    try describe(table)
    layers.append((table.layer, table.count))
  }

  package func finish() throws(ExportFailure) {
    let text = description.dublinCore(
      mediaType: "application/geopackage+sqlite3", layers: layers)
    try database.run(
      "INSERT INTO gpkg_metadata VALUES (1, 'dataset', ?, 'text/xml', ?)",
      [.text(ExportDescription.standard), .text(text)])
    try database.run(
      "INSERT INTO gpkg_metadata_reference VALUES ('geopackage', NULL, NULL, NULL, ?, 1, NULL)",
      [.time(description.created)])
    try database.commit()
  }

  /// Adds the rows that describe a table.
  private func describe(_ table: FeatureTable) throws(ExportFailure) {
    let (layer, bounds) = (table.layer, table.bounds)
    let column = GeoPackageSchema.geometryColumn
    // Foreign keys are not enforced while the file is written, so the order does not matter.
    let edges: [ExportValue] = [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY].map {
      bounds.isEmpty ? .null : .real($0)
    }
    try database.run(
      "INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(layer.name), .text(layer.title), .text(layer.summary), .time(description.created),
      ] + edges + [.integer(Int64(GeoPackageSchema.system))])
    try database.run(
      "INSERT INTO gpkg_geometry_columns VALUES (?, ?, ?, ?, 0, ?)",
      [
        .text(layer.name), .text(column), .text(GeoPackageSchema.geometryType(of: layer.shape)),
        .integer(Int64(GeoPackageSchema.system)), .integer(layer.shape == .line ? 1 : 0),
      ])
    for field in layer.fields {
      try database.run(
        "INSERT INTO gpkg_data_columns VALUES (?, ?, NULL, NULL, ?, NULL, NULL)",
        [.text(layer.name), .text(field.name), .text(field.summary)])
    }
    try addExtension(
      "gpkg_rtree_index", at: "extension_rtree", of: layer.name, column: column,
      scope: "write-only")
  }

  private func addExtension(
    _ name: String, at place: String, of table: String, column: String? = nil,
    scope: String = "read-write"
  ) throws(ExportFailure) {
    try database.run(
      "INSERT INTO gpkg_extensions VALUES (?, ?, ?, ?, ?)",
      [
        .text(table), column.map(ExportValue.text) ?? .null, .text(name),
        .text("\(GeoPackageSchema.specification)#\(place)"), .text(scope),
      ])
  }
}
