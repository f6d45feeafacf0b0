#if SpatiaLite
  import CSQLite
  import SQLiteLayer
  import TestSupport
  import Testing

  @testable import GeoExport

  @Suite struct SpatiaLiteWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes layers, and opens the file as SpatiaLite's users do: with its functions, views and
    /// triggers.
    private func write(
      _ layers: [(layer: ExportLayer, features: [ExportFeature])]
    ) throws -> Connection {
      let database = try SampleLayer.write(layers, to: folder) {
        try SpatiaLiteWriter(path: $0, description: $1)
      }
      try Self.trust(database)
      return database
    }

    private static func trust(_ database: Connection) throws {
      let options = [
        SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
        SQLITE_DBCONFIG_TRUSTED_SCHEMA,
      ]
      for option in options {
        #expect(roqua_sqlite_set_option(database.handle, option, 1) == SQLITE_OK)
      }
      try SpatiaLiteModule.load(into: database)
    }

    private static let shapes: [(shape: ExportLayer.Shape, name: String)] = [
      (.point, "dots"), (.line, "tracks"), (.polygon, "areas"),
    ]

    @Test(arguments: Seeds.sample(4))
    func `SpatiaLite reads every geometry and value as it was written`(seed: UInt64) throws {
      let layers = Self.shapes.map { shape, name in
        (
          layer: SampleLayer.layer(shape, name: name),
          features: SampleLayer.features(shape, count: 300, seed: seed)
        )
      }
      let database = try write(layers)
      for (layer, features) in layers {
        let select = try database.cached(
          """
          SELECT fid, AsBinary(geometry), id, name, height, flight, time, ST_SRID(geometry),
            ST_IsValid(geometry) FROM \(layer.name) ORDER BY fid
          """)
        for (index, feature) in features.enumerated() {
          #expect(try select.step())
          #expect(select.int(at: 0) == index + 1)
          var reader = WellKnownReader(try select.bytes(at: 1), from: 1)
          let geometry = reader.geometry()
          #expect(geometry?.isIdentical(to: feature.geometry) == true)
          for (column, value) in feature.values.enumerated() {
            #expect(
              SampleLayer.value(select, at: Int32(column + 2)) == SampleLayer.expected(value))
          }
          #expect(select.int(at: 7) == 4_326)
          #expect(select.int(at: 8) == 1)
        }
        #expect(try !select.step())
      }
    }

    @Test(arguments: [0, 1, 52, 3_000])
    func `SpatiaLite finds its metadata and spatial indexes right`(count: Int) throws {
      let layers = Self.shapes.map { shape, name in
        (
          layer: SampleLayer.layer(shape, name: name),
          features: SampleLayer.features(shape, count: count, seed: 1)
        )
      }
      let database = try write(layers)
      #expect(try database.integer("SELECT CheckSpatialMetaData()") == 3)
      for (layer, _) in layers {
        #expect(try database.integer("SELECT CheckSpatialIndex('\(layer.name)', 'geometry')") == 1)
        #expect(try database.text("SELECT rtreecheck('idx_\(layer.name)_geometry')") == "ok")
        let rows = try database.integer(
          "SELECT row_count FROM vector_layers_statistics WHERE table_name = '\(layer.name)'")
        #expect(rows == Int64(count))
      }
      #expect(try database.text("PRAGMA integrity_check") == "ok")
      let meters = "ST_Length(MakeLine(MakePoint(7, 51, 4326), MakePoint(7, 52, 4326)), 1)"
      // An arc of the meridian at 51.5°: 111,133 m - 560 m · cos 103° + 1 m · cos 206°.
      #expect(try database.integer("SELECT abs(\(meters) - 111257.8) < 0.5") == 1)
    }

    @Test func `Later changes through SpatiaLite's triggers keep the index right`() throws {
      let features = SampleLayer.features(.point, count: 500, seed: 2)
      let database = try write([(SampleLayer.layer(.point, name: "dots"), features)])
      try database.execute(
        """
        DELETE FROM dots WHERE fid % 3 = 0;
        UPDATE dots SET geometry = MakePoint(fid, 1, 4326) WHERE fid < 100;
        INSERT INTO dots (geometry) SELECT MakePoint(1, fid / 10.0, 4326) FROM dots;
        """)
      #expect(try database.integer("SELECT CheckSpatialIndex('dots', 'geometry')") == 1)
      #expect(try database.text("SELECT rtreecheck('idx_dots_geometry')") == "ok")
    }

    @Test func `The triggers of a GeoPackage keep its index right, too`() throws {
      let features = SampleLayer.features(.point, count: 500, seed: 3)
      let database = try SampleLayer.write(
        [(SampleLayer.layer(.point, name: "dots"), features)], to: folder
      ) { try GeoPackageWriter(path: $0, description: $1) }
      try Self.trust(database)
      // SpatiaLite's functions read the geometries of GeoPackage.
      _ = try database.text("SELECT EnableGpkgAmphibiousMode()")
      try database.execute(
        """
        DELETE FROM dots WHERE fid % 3 = 0;
        UPDATE dots SET geom = AsGPB(MakePoint(fid, 1, 4326)) WHERE fid < 100;
        UPDATE dots SET fid = fid + 10000 WHERE fid BETWEEN 200 AND 250;
        UPDATE dots SET geom = NULL WHERE fid BETWEEN 300 AND 310;
        INSERT INTO dots (geom) SELECT AsGPB(MakePoint(1, fid / 1000.0, 4326)) FROM dots;
        """)
      #expect(try database.text("SELECT rtreecheck('rtree_dots_geom')") == "ok")
      // Two units of a 4-byte number at 180 are 3e-5.
      let wrong = try database.integer(
        """
        SELECT count(*) FROM dots FULL JOIN rtree_dots_geom AS i ON i.id = fid
        WHERE coalesce(abs(ST_MinX(geom) - i.minx) > 6e-5 OR abs(ST_MinY(geom) - i.miny) > 6e-5
          OR i.minx > ST_MinX(geom) OR i.maxx < ST_MaxX(geom), geom IS NOT NULL OR i.id IS NOT NULL)
        """)
      #expect(wrong == 0)
    }
  }
#endif
