/// The tables of a GeoPackage.
///
/// - Source: OGC 12-128r17, "GeoPackage Encoding Standard" 1.3.0, annex C and annexes F.3, F.8 and
///   F.9.
enum GeoPackageSchema {
  /// `PRAGMA application_id`: `GPKG` (requirement 2).
  static let applicationID = 0x4750_4B47
  /// `PRAGMA user_version` of version 1.3.0 (requirement 2).
  static let version = 10_300
  /// The page of the specification to which extensions refer.
  static let specification = "http://www.geopackage.org/spec130/"
  /// The name of the column of geometries.
  static let geometryColumn = "geom"
  /// The number of WGS 84.
  static let system = 4_326

  /// The tables that describe the others.
  static let tables = """
    CREATE TABLE gpkg_spatial_ref_sys (
      srs_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL PRIMARY KEY,
      organization TEXT NOT NULL,
      organization_coordsys_id INTEGER NOT NULL,
      definition TEXT NOT NULL,
      description TEXT
    );
    CREATE TABLE gpkg_contents (
      table_name TEXT NOT NULL PRIMARY KEY,
      data_type TEXT NOT NULL,
      identifier TEXT UNIQUE,
      description TEXT DEFAULT '',
      last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x DOUBLE,
      min_y DOUBLE,
      max_x DOUBLE,
      max_y DOUBLE,
      srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
    );
    CREATE TABLE gpkg_geometry_columns (
      table_name TEXT NOT NULL,
      column_name TEXT NOT NULL,
      geometry_type_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL,
      z TINYINT NOT NULL,
      m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
      CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id)
    );
    CREATE TABLE gpkg_extensions (
      table_name TEXT,
      column_name TEXT,
      extension_name TEXT NOT NULL,
      definition TEXT NOT NULL,
      scope TEXT NOT NULL,
      CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name)
    );
    CREATE TABLE gpkg_metadata (
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
      md_scope TEXT NOT NULL DEFAULT 'dataset',
      md_standard_uri TEXT NOT NULL,
      mime_type TEXT NOT NULL DEFAULT 'text/xml',
      metadata TEXT NOT NULL DEFAULT ''
    );
    CREATE TABLE gpkg_metadata_reference (
      reference_scope TEXT NOT NULL,
      table_name TEXT,
      column_name TEXT,
      row_id_value INTEGER,
      timestamp DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      md_file_id INTEGER NOT NULL,
      md_parent_id INTEGER,
      CONSTRAINT crmr_mfi_fk FOREIGN KEY (md_file_id) REFERENCES gpkg_metadata(id),
      CONSTRAINT crmr_mpi_fk FOREIGN KEY (md_parent_id) REFERENCES gpkg_metadata(id)
    );
    CREATE TABLE gpkg_data_columns (
      table_name TEXT NOT NULL,
      column_name TEXT NOT NULL,
      name TEXT,
      title TEXT,
      description TEXT,
      mime_type TEXT,
      constraint_name TEXT,
      CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name),
      CONSTRAINT gdc_tn UNIQUE (table_name, name)
    );
    CREATE TABLE gpkg_data_column_constraints (
      constraint_name TEXT NOT NULL,
      constraint_type TEXT NOT NULL,
      value TEXT,
      min NUMERIC,
      min_is_inclusive BOOLEAN,
      max NUMERIC,
      max_is_inclusive BOOLEAN,
      description TEXT,
      CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value)
    );
    """

  /// The rows of the coordinate systems that each file must have (requirement 11): WGS 84 and two
  /// undefined ones.
  static let systems: [[ExportValue]] = [
    [
      .text("WGS 84 geodetic"), .integer(4_326), .text("EPSG"), .integer(4_326),
      .text(wellKnownText), .text("Longitude and latitude in degrees on the ellipsoid WGS 84"),
    ],
    [
      .text("Undefined Cartesian SRS"), .integer(-1), .text("NONE"), .integer(-1),
      .text("undefined"), .text("Undefined Cartesian coordinate system"),
    ],
    [
      .text("Undefined geographic SRS"), .integer(0), .text("NONE"), .integer(0),
      .text("undefined"), .text("Undefined geographic coordinate system"),
    ],
  ]

  /// WGS 84 as the specification's test of requirement 11 writes it.
  private static let wellKnownText = """
    GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,\
    AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],\
    PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],\
    UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]
    """

  /// The table of a layer.
  static func table(of layer: ExportLayer) -> String {
    let columns = layer.fields.map { ",\n  \"\($0.name)\" \(type(of: $0.kind))" }.joined()
    return """
      CREATE TABLE "\(layer.name)" (
        "fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
        "\(geometryColumn)" \(geometryType(of: layer.shape))\(columns)
      )
      """
  }

  /// The name of a kind of geometries (annex G).
  static func geometryType(of shape: ExportLayer.Shape) -> String {
    switch shape {
    case .point: "POINT"
    case .line: "LINESTRING"
    case .polygon: "POLYGON"
    }
  }

  /// The name of a kind of values (table 1).
  private static func type(of kind: ExportField.Kind) -> String {
    switch kind {
    case .text: "TEXT"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .boolean: "BOOLEAN"
    case .time: "DATETIME"
    }
  }
}
