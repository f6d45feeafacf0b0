import SQLiteLayer

/// What `roqua sql` adds to SpatiaLite's functions: views with geometries, and the coordinate
/// reference systems that its functions look up. All of it is temporary.
enum SpatialLayers {
  /// The names of the views and tables.
  static let names = [
    "region_geometries", "visit_geometries", "track_geometries", "spatial_ref_sys",
  ]

  /// Adds the views and the table to a connection that has SpatiaLite's functions. Adding them
  /// twice changes nothing: another session may have used the connection.
  static func add(to connection: Connection) throws(DatabaseError) {
    try connection.execute(views + tables)
    let insert = try connection.cached(
      "INSERT OR IGNORE INTO temp.spatial_ref_sys VALUES (?1, 'epsg', ?1, ?2, ?3, NULL)")
    for system in systems {
      insert.bind(system.number, at: 1)
      insert.bind(system.name, at: 2)
      insert.bind(system.definition, at: 3)
      try insert.run()
    }
  }

  /// Geometries are in EPSG 4326, longitude first. A track is the lines through the kept fixes of a
  /// segment of a source in their order (``TrackLines``).
  private static let views = """
    CREATE TEMP VIEW IF NOT EXISTS region_geometries AS
      SELECT *, MakePoint(longitude, latitude, 4326) AS geometry FROM visited_regions;
    CREATE TEMP VIEW IF NOT EXISTS visit_geometries AS
      SELECT *, MakePoint(longitude, latitude, 4326) AS geometry FROM visit_list;
    CREATE TEMP VIEW IF NOT EXISTS track_geometries AS
      SELECT source_id, segment, fixes, start_time, end_time, flight, geometry
      FROM roqua_tracks WHERE fixes > 1;
    """

  /// The columns of SpatiaLite's own table.
  private static let tables = """
    CREATE TEMP TABLE IF NOT EXISTS spatial_ref_sys (
      srid INTEGER PRIMARY KEY, auth_name TEXT NOT NULL, auth_srid INTEGER NOT NULL,
      ref_sys_name TEXT NOT NULL, proj4text TEXT NOT NULL, srtext TEXT);
    """

  private struct ReferenceSystem {
    let number: Int64
    let name: String
    let definition: String
  }

  /// WGS 84, Web Mercator, the equal-area grids of the Earth and of Europe, and UTM.
  private static let systems: [ReferenceSystem] = {
    var systems = [
      ReferenceSystem(
        number: 4326, name: "WGS 84", definition: "+proj=longlat +datum=WGS84 +no_defs"),
      ReferenceSystem(
        number: 3857, name: "WGS 84 / Pseudo-Mercator",
        definition: "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 "
          + "+units=m +nadgrids=@null +wktext +no_defs"),
      ReferenceSystem(
        number: 6933, name: "WGS 84 / NSIDC EASE-Grid 2.0 Global",
        definition: "+proj=cea +lat_ts=30 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"),
      ReferenceSystem(
        number: 3035, name: "ETRS89-extended / LAEA Europe",
        definition: "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 "
          + "+units=m +no_defs"),
    ]
    for zone in 1...60 {
      for (base, half, option) in [(32_600, "N", ""), (32_700, "S", " +south")] {
        systems.append(
          ReferenceSystem(
            number: Int64(base + zone), name: "WGS 84 / UTM zone \(zone)\(half)",
            definition: "+proj=utm +zone=\(zone)\(option) +datum=WGS84 +units=m +no_defs"))
      }
    }
    return systems
  }()
}
