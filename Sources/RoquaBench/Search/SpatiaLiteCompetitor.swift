#if SpatiaLite
  import CSpatiaLite
  import Foundation
  import Geodesy

  /// SpatiaLite's points with its spatial index, measured on the ellipsoid by SpatiaLite itself.
  final class SpatiaLiteCompetitor: SearchCompetitor {
    let name = "SpatiaLite, ellipsoidal distance"
    let measuresItself = true
    private let database: CompetitorDatabase
    private let box: CompetitorStatement
    private let circle: CompetitorStatement

    /// Makes a database at `path` with the regions of another one, and builds the index.
    ///
    /// - Returns: the competitor, and the seconds spent on the index alone.
    static func make(path: String, regionsAt other: String) throws -> (
      competitor: SpatiaLiteCompetitor, seconds: Double
    ) {
      let database = try CompetitorDatabase(path: path)
      guard let cache = spatialite_alloc_connection() else {
        throw BenchmarkError("SpatiaLite cannot allocate memory for a connection.")
      }
      // Sound: only the closure below uses the pointer, once, after the database is closed; it
      // hands it back to the library that made it.
      nonisolated(unsafe) let memory = cache
      database.whenClosed = { spatialite_cleanup_ex(memory) }
      spatialite_init_ex(database.handle, cache, 0)
      try database.execute("SELECT InitSpatialMetaData(1, 'WGS84')")
      try database.execute("ATTACH '\(other)' AS o")
      try database.execute(
        """
        BEGIN;
        CREATE TABLE regions AS SELECT * FROM o.regions WHERE false;
        SELECT AddGeometryColumn('regions', 'place', 4326, 'POINT', 'XY');
        INSERT INTO regions SELECT *, MakePoint(longitude, latitude, 4326) FROM o.regions;
        COMMIT;
        DETACH o;
        """)
      let time = try Clock.wallSeconds {
        try database.execute("BEGIN; SELECT CreateSpatialIndex('regions', 'place'); COMMIT;")
      }
      return (try SpatiaLiteCompetitor(database), time.seconds)
    }

    private init(_ database: CompetitorDatabase) throws {
      self.database = database
      let columns = CompetitorRow.columns.map { "r.\($0)" }.joined(separator: ", ")
      let join = "FROM idx_regions_place AS t CROSS JOIN regions AS r ON r.rowid = t.pkid"
      let inBox = "t.ymax >= ?1 AND t.ymin <= ?2 AND t.xmax >= ?3 AND t.xmin <= ?4"
      box = try database.prepare(
        """
        SELECT \(columns) \(join) WHERE \(inBox)
          AND r.latitude BETWEEN ?1 AND ?2 AND r.longitude BETWEEN ?3 AND ?4
        """
      )
      circle = try database.prepare(
        // Materialized, so that each distance is measured once, not again for the condition.
        """
        WITH measured AS MATERIALIZED (
          SELECT \(columns), ST_Distance(r.place, MakePoint(?5, ?6, 4326), 1) AS meters
          \(join) WHERE \(inBox))
        SELECT * FROM measured WHERE meters <= ?7 ORDER BY meters
        """)
    }

    func rows(in area: BoundingBox) throws -> [CompetitorRow] { try rows(box, area) { _ in } }

    func rows(near center: Coordinate, radiusMeters: Double) throws -> [CompetitorRow] {
      let area = BoundingBox(around: LocalFrame(center: center), radiusMeters: radiusMeters)
      return try rows(circle, area) { statement in
        statement.bind(center.longitudeDegrees, at: 5)
        statement.bind(center.latitudeDegrees, at: 6)
        statement.bind(radiusMeters, at: 7)
      }
    }

    private func rows(
      _ statement: CompetitorStatement, _ area: BoundingBox, _ bind: (CompetitorStatement) -> Void
    ) throws -> [CompetitorRow] {
      var rows: [CompetitorRow] = []
      let hasMeters = statement === circle
      for range in area.longitudeRangesE7 {
        statement.bind(area.south, at: 1)
        statement.bind(area.north, at: 2)
        statement.bind(Double(range.lowerBound) / 1e7, at: 3)
        statement.bind(Double(range.upperBound) / 1e7, at: 4)
        bind(statement)
        defer { statement.reset() }
        while try statement.step() {
          var row = CompetitorRow(statement)
          if hasMeters { row.meters = statement.double(Int32(CompetitorRow.columns.count)) }
          rows.append(row)
        }
      }
      return rows
    }
  }
#endif
