#if SpatiaLite
  import Foundation
  import Geodesy
  import GeoStore
  import GridHash
  import Roqua
  import RoquaSQL
  import TestSupport
  import Testing

  /// Geometries and measures of SpatiaLite on a store.
  @Suite struct SpatialLayerTests {
    private let fixture: SQLFixture

    init() throws { fixture = try SQLFixture() }

    @Test func `ellipsoidal distances of SpatiaLite agree with the library to one in a million`()
      throws
    {
      var random = SplitMix64(seed: 22)
      for meters in [10.0, 1_000, 100_000, 3_000_000] {
        for _ in 0..<50 {
          let a = Coordinate.random(using: &random)
          let b = a.randomNeighbor(within: meters, using: &random)
          guard abs(a.latitudeDegrees) < 89, abs(b.latitudeDegrees) < 89 else { continue }
          let parameters: [String: SQLValue] = [
            "a": .real(a.longitudeDegrees), "b": .real(a.latitudeDegrees),
            "c": .real(b.longitudeDegrees), "d": .real(b.latitudeDegrees),
          ]
          let points = "MakePoint(:a, :b, 4326), MakePoint(:c, :d, 4326)"
          let row = try fixture.rows(
            "SELECT ST_Distance(\(points), 1), ST_Length(MakeLine(\(points)), 1), "
              + "roqua_distance(:b, :a, :d, :c)", parameters)[0]
          let expected = a.distanceMeters(to: b)
          #expect(row[2] == .real(expected))
          for value in row {
            let measured = try #require(value.number)
            #expect(abs(measured - expected) <= 1e-6 * expected + 1e-6, "\(expected) m")
          }
        }
      }
    }

    /// The area in square meters of a rectangle of latitudes and longitudes on the ellipsoid: the
    /// integral of the radii of curvature (Snyder, Map Projections, 1987, equation 3-12).
    private func ellipsoidalArea(_ bounds: CellBounds) -> Double {
      let flattening = 1 / 298.257223563
      let e = (flattening * (2 - flattening)).squareRoot()
      func integral(_ degrees: Double) -> Double {
        let s = sin(degrees * .pi / 180)
        return s / (1 - e * e * s * s) + log((1 + e * s) / (1 - e * s)) / (2 * e)
      }
      let polarRadius = 6_378_137 * (1 - flattening)
      let width = (bounds.eastDegrees - bounds.westDegrees) * .pi / 180
      return polarRadius * polarRadius / 2 * width
        * (integral(bounds.northDegrees) - integral(bounds.southDegrees))
    }

    @Test func `ellipsoidal areas of SpatiaLite agree with the integral`() throws {
      let grid = Grid.standard
      for latitude in [-70.0, -33.9, 0.01, 48.5, 75] {
        let cell = grid.cell(containing: Coordinate(latitude, 18.4))
        let bounds = grid.bounds(of: cell)
        let area = try fixture.value(
          "SELECT ST_Area(BuildMbr(:w, :s, :e, :n, 4326), 1)",
          [
            "w": .real(bounds.westDegrees), "s": .real(bounds.southDegrees),
            "e": .real(bounds.eastDegrees), "n": .real(bounds.northDegrees),
          ]
        ).number
        let expected = ellipsoidalArea(bounds)
        #expect(abs((area ?? 0) - expected) <= 1e-5 * expected, "\(latitude)°")
      }
    }

    @Test func `every region and visit has a point, and every segment lines through its fixes`()
      throws
    {
      for (layer, view) in [
        ("region_geometries", "visited_regions"), ("visit_geometries", "visit_list"),
      ] {
        #expect(
          try fixture.rows(
            """
            SELECT count(*) - (SELECT count(*) FROM \(view)), sum(ST_SRID(geometry) <> 4326),
              sum(ST_X(geometry) <> longitude OR ST_Y(geometry) <> latitude),
              sum(NOT ST_IsValid(geometry))
            FROM \(layer)
            """) == [[.integer(0), .integer(0), .integer(0), .integer(0)]])
      }
      let fixes = try fixture.rows(
        "SELECT longitude, latitude FROM roqua_fixes(1) WHERE segment = 1")
      let count = Int64(fixes.count)
      #expect(
        try fixture.rows(
          """
          SELECT fixes, ST_NPoints(geometry), ST_SRID(geometry), GeometryType(geometry)
          FROM track_geometries WHERE source_id = 1 AND segment = 1
          """)
          == [[.integer(count), .integer(count), .integer(4326), .text("MULTILINESTRING")]])
      for index in [1, 2, fixes.count] {
        let point = try fixture.rows(
          """
          SELECT ST_X(p), ST_Y(p) FROM (SELECT ST_PointN(ST_GeometryN(geometry, 1), :n) AS p
            FROM track_geometries WHERE source_id = 1 AND segment = 1)
          """, ["n": .integer(Int64(index))])
        #expect(point == [fixes[index - 1]])
      }
    }

    @Test func `the length of a track is the sum of the library's distances`() throws {
      let rows = try fixture.rows(
        "SELECT source_id, segment, ST_Length(geometry, 1) FROM track_geometries")
      #expect(rows.count >= 2)
      for row in rows {
        let fixes = try fixture.rows(
          "SELECT latitude, longitude FROM roqua_fixes(:source) WHERE segment = :segment",
          ["source": row[0], "segment": row[1]])
        let positions = fixes.compactMap { fix in
          fix[0].number.flatMap { lat in fix[1].number.map { Coordinate(lat, $0) } }
        }
        let expected = zip(positions, positions.dropFirst()).reduce(0) {
          $0 + $1.0.distanceMeters(to: $1.1)
        }
        let measured = try #require(row[2].number)
        #expect(abs(measured - expected) <= 1e-6 * expected, "source \(row[0])")
      }
    }

    /// The tracks of the third source, which has these segments.
    private func tracks(_ segments: [[(Coordinate, Timestamp?)]]) throws -> [[SQLValue]] {
      let points = segments.map { points in
        points.map { WalkPoint(coordinate: $0.0, time: $0.1) }
      }
      let path = try fixture.folder.write(Walks.gpx(points), to: "lines.gpx")
      _ = try fixture.explorer.importTracks([path])
      return try fixture.rows(
        "SELECT segment, fixes, AsText(geometry) FROM track_geometries WHERE source_id = 3")
    }

    @Test func `lines end at gaps and at ±180°`() throws {
      let segments = [
        [
          Coordinate(-16.8, 179.99), Coordinate(-16.81, -179.99), Coordinate(-16.81, -179.7),
          Coordinate(-16.8, -179.69),
        ],
        // Nothing but a gap.
        [Coordinate(-16.8, 179.5), Coordinate(-16.8, 179)],
        // It begins on the meridian, which is stored as 180° W, or ends there.
        [Coordinate(1, 180), Coordinate(1, 179.99)], [Coordinate(2, 179.99), Coordinate(2, 180)],
        // A lone fix is no track.
        [Coordinate(3, 3)],
      ].map { $0.map { ($0, Timestamp?.none) } }
      #expect(
        try tracks(segments) == [
          [
            .integer(1), .integer(4),
            .text(
              "MULTILINESTRING((179.99 -16.8, 180 -16.805), (-180 -16.805, -179.99 -16.81), "
                + "(-179.7 -16.81, -179.69 -16.8))"),
          ],
          [.integer(2), .integer(2), .null],
          [.integer(3), .integer(2), .text("MULTILINESTRING((180 1, 179.99 1))")],
          [.integer(4), .integer(2), .text("MULTILINESTRING((179.99 2, 180 2))")],
        ])
      // As many lines as in exports.
      var options = ExportOptions(format: .geoJSONLines)
      options.layers = [.tracks]
      let path = fixture.folder.file("tracks.geojsonl")
      _ = try fixture.explorer.export(to: path, options: options)
      let exported = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
      #expect(
        try fixture.value("SELECT sum(ST_NumGeometries(geometry)) FROM track_geometries")
          == .integer(Int64(exported)))
      #expect(
        try fixture.value("SELECT count(*) FROM track_geometries WHERE NOT ST_IsValid(geometry)")
          == .integer(0))
    }

    @Test func `no line follows a flight, unless flights explore`() throws {
      // On foot, then 2.2 km each ten seconds.
      let points = (0..<80).map { index in
        let steps = index < 20 ? Double(index) * 0.001 : 0.02 * Double(index - 19)
        return (
          Coordinate(48 + steps, 9),
          Timestamp?.some(
            Timestamp(
              millisecondsSince1970: 1_700_000_000_000
                + Int64(index < 20 ? index * 60 : 1_200 + (index - 20) * 10) * 1_000))
        )
      }
      let track = try #require(try tracks([points]).first)
      guard case .text(let ground) = track[2] else {
        Issue.record("\(track)")
        return
      }
      #expect(track[1] == .integer(80) && ground.split(separator: ",").count < 40, "\(ground)")
      try fixture.explorer.set(.flightsExplore, to: 1)
      #expect(
        try fixture.rows(
          """
          SELECT ST_NumGeometries(geometry), ST_NPoints(geometry), flight
          FROM track_geometries WHERE source_id = 3
          """) == [[.integer(1), .integer(80), .integer(1)]])
    }

    @Test func `positions can be transformed into meters`() throws {
      let utm = try fixture.rows(
        "SELECT ST_X(p), ST_Y(p) FROM (SELECT ST_Transform(MakePoint(9, 48, 4326), 32632) AS p)")[0]
      // The central meridian of zone 32.
      #expect(abs((utm[0].number ?? 0) - 500_000) < 0.001)
      #expect(abs((utm[1].number ?? 0) - 5_316_300.4) < 1, "\(utm)")
    }

    @Test func `SpatiaLite opens no way to write`() throws {
      for sql in [
        "SELECT InitSpatialMetaData(1)", "SELECT CreateSpatialIndex('regions', 'geometry')",
        "SELECT ST_X(geometry) FROM region_geometries; DROP VIEW region_geometries",
        "SELECT ST_X(geometry) FROM region_geometries; DELETE FROM spatial_ref_sys",
      ] {
        _ = try fixture.failure(sql)
      }
      #expect(
        try fixture.rows(
          "SELECT count(*) FROM main.sqlite_schema WHERE name LIKE '%geometr%'")
          == [[.integer(0)]])
      #expect(
        try fixture.failure("SELECT ST_X(1); DELETE FROM spatial_ref_sys")
          == "SQL can only read the store: DELETE is not allowed.")
      #expect(try fixture.failure("SELECT ST_Nothing(1)") == "SQL: no such function: ST_Nothing")
    }
  }
#endif
