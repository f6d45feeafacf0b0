import Foundation
import TestSupport
import Testing

@testable import GeoExport

@Suite struct GeoParquetWriterTests {
  private func file(
    _ shape: ExportLayer.Shape, _ features: [ExportFeature], _ codec: ParquetCodec = .gzip,
    rowsPerGroup: Int = GeoParquetWriter.mostRows
  ) throws -> ParquetReader {
    let collector = ExportCollector()
    let writer = try GeoParquetWriter(collector.stream, codec, rowsPerGroup: rowsPerGroup)
    try writer.write(ExportSamples.layer(shape), features)
    return ParquetReader(collector.bytes)
  }

  /// A value in plain encoding, without the length of texts.
  private func plain(_ value: ExportValue) -> [UInt8]? {
    switch value {
    case .null: nil
    case .text(let text): Array(text.utf8)
    case .integer(let value), .time(let value): [UInt8](littleEndian: value)
    case .real(let value): [UInt8](littleEndian: value.bitPattern)
    case .boolean(let value): [value ? 1 : 0]
    }
  }

  private func check(
    _ file: ParquetReader, _ shape: ExportLayer.Shape, _ features: [ExportFeature]
  ) {
    var start = 0
    for (group, rows) in zip(file.groups, file.rows) {
      let part = features[start..<start + rows]
      start += rows
      #expect(
        group.map { $0.path.joined(separator: ".") } == [
          "number", "name", "size", "is_good", "moment", "geometry", "bbox.xmin", "bbox.ymin",
          "bbox.xmax", "bbox.ymax",
        ] + (shape == .line ? ["times.list.element"] : []))
      for column in 0..<5 {
        #expect(group[column].values == part.map { plain($0.values[column]) })
        #expect(group[column].nullCount == part.count { $0.values[column] == .null })
      }
      #expect(
        group[5].values
          == part.map {
            var bytes: [UInt8] = []
            WellKnownBinary.append($0.geometry, shape, to: &bytes)
            return bytes
          })
      #expect(group[5].range == nil, "geometries have no order")
      if shape == .line {
        let measures = part.flatMap(\.geometry.measures)
        #expect(
          group[10].values
            == measures.map {
              $0.isNaN ? nil : [UInt8](littleEndian: Int64(($0 * 1_000).rounded()))
            })
        let starts = part.flatMap { feature in
          feature.geometry.measures.indices.map { $0 == 0 ? UInt64(0) : 1 }
        }
        #expect(group[10].repetitions == starts)
      }
    }
    #expect(start == features.count)
    #expect(file.footer[3]?.number == features.count)
  }

  @Test(arguments: [ExportLayer.Shape.point, .line, .polygon])
  func `all rows come back in their order`(shape: ExportLayer.Shape) throws {
    for codec in [ParquetCodec.none, .gzip] {
      let features = ExportSamples.features(shape, count: 200, seed: 1)
      check(try file(shape, features, codec), shape, features)
    }
  }

  @Test(arguments: [
    (0, []), (1, [1]), (99, [99]), (100, [100]), (101, [100, 1]), (200, [100, 100]),
  ])
  func `a row group ends with its last row`(count: Int, rows: [Int]) throws {
    let features = ExportSamples.features(.line, count: count, seed: 2)
    let file = try file(.line, features, rowsPerGroup: 100)
    #expect(file.rows == rows)
    check(file, .line, features)
  }

  @Test func `a row group ends when its values are large`() throws {
    var features = ExportSamples.features(.line, count: 6, seed: 3)
    for large in [1, 3] {
      for position in 0..<GeoParquetWriter.mostBytes / 16 {
        features[large].geometry.append(x: Double(position % 180), y: 0, measure: .nan)
      }
    }
    let collector = ExportCollector()
    let writer = try GeoParquetWriter(collector.stream)
    try writer.write(ExportSamples.layer(.line), features)
    var size = ParquetBits(Array(collector.bytes.suffix(8)))
    var reader = ParquetBits(collector.bytes)
    reader.place = collector.bytes.count - 8 - Int(size.number(4))
    let groups = ThriftValue.read(&reader)[4]?.list ?? []
    #expect(groups.map { $0[3]?.number } == [2, 2, 2])
  }

  @Test func `columns may be null in all rows or in none`() throws {
    for nullsIn in [1, .max] {
      let features = ExportSamples.features(.point, count: 70, nullsIn: nullsIn, seed: 4)
      let read = try file(.point, features)
      check(read, .point, features)
      #expect(read.groups[0].prefix(5).allSatisfy { ($0.range == nil) == (nullsIn == 1) })
    }
  }

  @Test func `statistics have the least and the greatest value`() throws {
    var features = ExportSamples.features(.point, count: 3, seed: 5)
    features[0].values = [.integer(5), .text("b"), .real(0), .boolean(true), .time(-1)]
    features[1].values = [.integer(-7), .text("é"), .real(-0.0), .boolean(true), .time(.zero)]
    features[2].values = [.integer(.max), .text("aa"), .null, .null, .null]
    let group = try file(.point, features).groups[0]
    func expect(_ column: Int, _ least: [UInt8], _ greatest: [UInt8]) {
      #expect(group[column].range?.least == least)
      #expect(group[column].range?.greatest == greatest)
    }
    expect(0, [UInt8](littleEndian: Int64(-7)), [UInt8](littleEndian: Int64.max))
    expect(1, Array("aa".utf8), Array("é".utf8))
    expect(
      2, [UInt8](littleEndian: (-0.0).bitPattern), [UInt8](littleEndian: (0.0).bitPattern))
    expect(3, [1], [1])
    expect(4, [UInt8](littleEndian: Int64(-1)), [UInt8](littleEndian: Int64(0)))
  }

  @Test func `a long text has no range`() throws {
    var features = ExportSamples.features(.point, count: 2, seed: 6)
    features[0].values[1] = .text("a")
    features[1].values[1] = .text(String(repeating: "z", count: 65))
    #expect(try file(.point, features).groups[0][1].range == nil)
    features[1].values[1] = .text(String(repeating: "z", count: 64))
    #expect(try file(.point, features).groups[0][1].range?.greatest.count == 64)
  }

  @Test func `a column with too many distinct texts is plain from then on`() throws {
    var random = SplitMix64(seed: 7)
    var features: [ExportFeature] = []
    for row in 0..<9_500 {
      var feature = ExportSamples.feature(.point, using: &random)
      feature.values[1] = row % 10 == 3 ? .null : .text("text \(row)")
      features.append(feature)
    }
    for row in 9_300..<9_500 { features[row].values[1] = .text("the same") }
    let read = try file(.point, features, rowsPerGroup: 9_400)
    #expect(read.groups.map { $0[1].encoding } == [0, 0])
    check(read, .point, features)
    let few = try file(.point, Array(features.suffix(100)))
    #expect(few.groups[0][1].encoding == 8)
  }

  @Test(arguments: Seeds.sample(50))
  func `boxes are rounded outward`(seed: UInt64) throws {
    let features = ExportSamples.features(.polygon, count: 20, seed: seed)
    let group = try file(.polygon, features).groups[0]
    func edges(_ column: Int) -> [Double] {
      group[column].values.map { bytes in
        Double(Float(bitPattern: (bytes ?? []).reversed().reduce(0) { $0 << 8 | UInt32($1) }))
      }
    }
    for (row, feature) in features.enumerated() {
      let box = try #require(feature.geometry.bounds)
      let written = (6...9).map { edges($0)[row] }
      #expect(written[0] <= box.minX && written[1] <= box.minY)
      #expect(written[2] >= box.maxX && written[3] >= box.maxY)
      for (edge, exact) in zip(written, [box.minX, box.minY, box.maxX, box.maxY]) {
        #expect(abs(edge - exact) <= Double(Float(exact).ulp))
      }
    }
  }

  @Test func `the metadata of geometries is that of GeoParquet`() throws {
    let features = ExportSamples.features(.polygon, count: 5, seed: 8)
    let text = try #require(try file(.polygon, features).texts["geo"])
    let geo = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(geo["version"] as? String == "1.1.0")
    #expect(geo["primary_column"] as? String == "geometry")
    let columns = try #require(geo["columns"] as? [String: [String: Any]])
    let column = try #require(columns["geometry"])
    #expect(column["encoding"] as? String == "WKB")
    #expect(column["geometry_types"] as? [String] == ["Polygon"])
    #expect(column["orientation"] as? String == "counterclockwise")
    #expect(column["edges"] as? String == "planar")
    var extent = ExportBounds()
    for feature in features { extent.include(try #require(feature.geometry.bounds)) }
    #expect(
      column["bbox"] as? [Double] == [extent.minX, extent.minY, extent.maxX, extent.maxY])
    let covering = try #require(column["covering"] as? [String: [String: [String]]])
    #expect(covering["bbox"]?["ymax"] == ["bbox", "ymax"])
    let empty = try #require(try file(.line, []).texts["geo"])
    #expect(!empty.contains("\"bbox\":[-") && !empty.contains("inf"))
  }

  @Test func `an output that refuses bytes ends the export`() throws {
    let features = ExportSamples.features(.point, count: 20, seed: 9)
    let whole = ExportCollector()
    try GeoParquetWriter(whole.stream).write(ExportSamples.layer(.point), features)
    #expect(throws: ExportFailure.refused) {
      let limited = ExportCollector(limit: whole.bytes.count - 1)
      try GeoParquetWriter(limited.stream).write(ExportSamples.layer(.point), features)
    }
  }

  @Test func `a feature without positions is refused`() throws {
    var feature = ExportSamples.features(.point, count: 1, seed: 4)[0]
    feature.geometry.removeAll()
    #expect(
      throws: ExportFailure.failed(reason: "A feature of the layer “sample” has no positions.")
    ) {
      try GeoParquetWriter(ExportCollector().stream).write(
        ExportSamples.layer(.point), [feature])
    }
  }
}
