import SQLiteLayer
import TestSupport
import Testing

@testable import GeoExport

@Suite struct GeoPackageWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(
    _ layers: [(layer: ExportLayer, features: [ExportFeature])]
  ) throws -> Connection {
    try SampleLayer.write(layers, to: folder) { try GeoPackageWriter(path: $0, description: $1) }
  }

  private func sample(seed: UInt64, counts: [Int]) -> [(
    layer: ExportLayer, features: [ExportFeature]
  )] {
    zip([(ExportLayer.Shape.point, "dots"), (.line, "tracks"), (.polygon, "areas")], counts).map {
      shape, count in
      (
        SampleLayer.layer(shape.0, name: shape.1),
        SampleLayer.features(shape.0, count: count, seed: seed)
      )
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `Every geometry and value is read back as it was written`(seed: UInt64) throws {
    // More rows than one batch has.
    let layers = sample(seed: seed, counts: [2_000, 60, 60])
    let database = try write(layers)
    for (layer, features) in layers {
      let select = try database.cached(
        "SELECT fid, geom, id, name, height, flight, time FROM \(layer.name) ORDER BY fid")
      for (index, feature) in features.enumerated() {
        #expect(try select.step())
        #expect(select.int(at: 0) == index + 1)
        var reader = WellKnownReader(try select.bytes(at: 1))
        #expect([reader.byte(), reader.byte(), reader.byte()] == [0x47, 0x50, 0])
        #expect(reader.byte() == (layer.shape == .point ? 1 : 3))
        #expect(reader.int32() == 4_326)
        if layer.shape != .point, let bounds = feature.geometry.bounds {
          let envelope = [reader.double(), reader.double(), reader.double(), reader.double()]
          #expect(envelope == [bounds.minX, bounds.maxX, bounds.minY, bounds.maxY])
        }
        #expect(reader.byte() == 1)
        let geometry = reader.geometry()
        #expect(geometry?.isIdentical(to: feature.geometry) == true)
        #expect(reader.isAtEnd)
        for (column, value) in feature.values.enumerated() {
          #expect(
            SampleLayer.value(select, at: Int32(column + 2)) == SampleLayer.expected(value))
        }
      }
      #expect(try !select.step())
    }
    #expect(try database.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `A point has the bytes that GDAL writes`() throws {
    var feature = ExportFeature()
    feature.geometry.append(x: 7, y: 51)
    feature.values = [.null, .null, .null, .null, .null]
    let database = try write([(SampleLayer.layer(.point, name: "dots"), [feature])])
    #expect(
      try database.text("SELECT hex(geom) FROM dots")
        == "47500001E610000001010000000000000000001C400000000000804940")
  }

  @Test func `A time has milliseconds from the year 0 to 9999`() {
    #expect(DatabaseTime.text(-62_167_219_200_000) == "0000-01-01T00:00:00.000Z")
    #expect(DatabaseTime.text(0) == "1970-01-01T00:00:00.000Z")
    #expect(DatabaseTime.text(-1) == "1969-12-31T23:59:59.999Z")
    #expect(DatabaseTime.text(253_402_300_799_999) == "9999-12-31T23:59:59.999Z")
  }

  @Test(arguments: [[0, 0, 0], [1, 1, 1], [0, 3, 0], [60, 0, 52]])
  func `The tables of the specification describe the layers, empty ones too`(counts: [Int]) throws {
    let layers = sample(seed: 1, counts: counts)
    let database = try write(layers)
    #expect(try database.integer("PRAGMA application_id") == 0x4750_4B47)
    #expect(try database.integer("PRAGMA user_version") == 10_300)
    #expect(try database.text("PRAGMA foreign_key_check") == nil)
    #expect(
      try database.text("SELECT group_concat(srs_id) FROM gpkg_spatial_ref_sys") == "-1,0,4326")
    for (layer, features) in layers {
      var bounds = ExportBounds()
      for feature in features { bounds.include(try #require(feature.geometry.bounds)) }
      let contents = try database.cached(
        """
        SELECT min_x, min_y, max_x, max_y, identifier, description, last_change, data_type, srs_id
        FROM gpkg_contents WHERE table_name = '\(layer.name)'
        """)
      #expect(try contents.step())
      let edges = (0..<4).map { contents.optionalDouble(at: $0) }
      #expect(
        edges
          == (features.isEmpty
            ? [nil, nil, nil, nil] : [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY]))
      #expect(contents.text(at: 4) == layer.title)
      #expect(contents.text(at: 5) == layer.summary)
      #expect(contents.text(at: 6) == "2024-05-01T10:00:00.000Z")
      #expect(contents.text(at: 7) == "features")
      #expect(contents.int(at: 8) == 4_326)
      let measured = try database.integer(
        "SELECT m FROM gpkg_geometry_columns WHERE table_name = '\(layer.name)' AND z = 0")
      #expect(measured == (layer.shape == .line ? 1 : 0))
      let columns = try database.integer(
        "SELECT count(*) FROM gpkg_data_columns WHERE table_name = '\(layer.name)'")
      #expect(columns == Int64(layer.fields.count))
      #expect(try database.text("SELECT rtreecheck('rtree_\(layer.name)_geom')") == "ok")
      #expect(
        try database.integer("SELECT count(*) FROM rtree_\(layer.name)_geom")
          == Int64(features.count))
    }
    #expect(
      try database.integer("SELECT count(*) FROM gpkg_extensions WHERE scope = 'write-only'") == 3)
    let metadata = try #require(try database.text("SELECT metadata FROM gpkg_metadata"))
    #expect(metadata.contains("<dc:title>All &lt;&amp;&gt; places</dc:title>"))
    #expect(metadata.contains("Title of dots: \(counts[0]); Title of tracks: \(counts[1])"))
  }

  @Test func `A layer has the six triggers of version 1.3`() throws {
    let database = try write(sample(seed: 1, counts: [1]))
    let names = try database.text(
      """
      SELECT group_concat(name) FROM (
        SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'dots' ORDER BY name)
      """)
    let endings = ["delete", "insert", "update1", "update2", "update3", "update4"]
    #expect(names == endings.map { "rtree_dots_geom_" + $0 }.joined(separator: ","))
    // Version 1.2.1 corrected this one, which was "AFTER UPDATE OF <c>".
    let update3 = try database.text(
      "SELECT sql FROM sqlite_schema WHERE name = 'rtree_dots_geom_update3'")
    #expect(update3?.contains("AFTER UPDATE ON \"dots\"\n") == true)
  }

  @Test func `A geometry of many megabytes is written whole`() throws {
    var feature = ExportFeature()
    for place in 0..<400_000 {
      feature.geometry.append(x: Double(place) / 4_096, y: 0, measure: Double(place))
    }
    feature.values = [.null, .null, .null, .null, .null]
    let database = try write([(SampleLayer.layer(.line, name: "tracks"), [feature])])
    let select = try database.cached("SELECT geom FROM tracks")
    #expect(try select.step())
    var reader = WellKnownReader(try select.bytes(at: 0), from: 41)
    let geometry = reader.geometry()
    #expect(geometry?.isIdentical(to: feature.geometry) == true)
  }

  @Test func `A file that cannot be opened and a feature without geometry are failures`() throws {
    let description = ExportDescription(title: "", creator: "", created: 0)
    #expect(throws: ExportFailure.self) {
      try GeoPackageWriter(path: folder.file("none/x.gpkg"), description: description)
    }
    let path = try folder.write([UInt8](), to: "x.gpkg")
    let writer = try GeoPackageWriter(path: path, description: description)
    try writer.begin(SampleLayer.layer(.point, name: "dots"))
    var feature = ExportFeature()
    feature.values = [.null, .null, .null, .null, .null]
    #expect(throws: ExportFailure.failed(reason: "a feature of the layer dots has no geometry")) {
      try writer.add(feature)
    }
  }
}
