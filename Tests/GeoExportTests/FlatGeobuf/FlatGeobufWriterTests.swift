import Geodesy
import TestSupport
import Testing

@testable import GeoExport

@Suite struct FlatGeobufWriterTests {
  /// The values as the file has them: times are texts.
  private func written(_ values: [ExportValue]) -> [ExportValue] {
    values.map {
      guard case .time(let time) = $0 else { return $0 }
      return .text(Timestamp(millisecondsSince1970: time).iso8601)
    }
  }

  private func file(
    _ shape: ExportLayer.Shape, _ features: [ExportFeature]
  ) throws -> FlatGeobufReader {
    let collector = ExportCollector()
    let layer = ExportSamples.layer(shape)
    try FlatGeobufWriter(collector.stream).write(layer, features)
    return FlatGeobufReader(collector.bytes, layer.fields.map(\.kind))
  }

  @Test(arguments: [ExportLayer.Shape.point, .line, .polygon])
  func `all features come back along the Hilbert curve`(shape: ExportLayer.Shape) throws {
    for count in [1, 2, 15, 16, 17, 300] {
      let features = ExportSamples.features(shape, count: count, seed: UInt64(count))
      let file = try file(shape, features)
      var extent = ExportBounds()
      for feature in features { extent.include(try #require(feature.geometry.bounds)) }
      let keys = try features.enumerated().map { index, feature in
        let box = try #require(feature.geometry.bounds)
        return (FeatureCurve.place(of: box, in: extent), index)
      }
      let order = keys.sorted { $0 < $1 }.map { features[$0.1] }
      #expect(file.features.count == count)
      for (read, feature) in zip(file.features, order) {
        #expect(read.coordinates == feature.geometry.coordinates)
        #expect(
          read.measures.map(\.bitPattern) == feature.geometry.measures.map(\.bitPattern))
        #expect(read.ends == (shape == .polygon ? feature.geometry.ringEnds : nil))
        #expect(read.values == written(feature.values))
      }
      #expect(file.misaligned == 0)
    }
  }

  @Test func `each leaf of the index has the box and the place of its feature`() throws {
    let features = ExportSamples.features(.line, count: 100, seed: 5)
    let file = try file(.line, features)
    let leaves = file.nodes.suffix(100)
    for (leaf, feature) in zip(leaves, file.features) {
      var geometry = ExportGeometry()
      geometry.coordinates = feature.coordinates
      let box = try #require(geometry.bounds)
      #expect(leaf.box == [box.minX, box.minY, box.maxX, box.maxY])
      #expect(leaf.reference == feature.place)
    }
  }

  @Test func `the header describes the layer`() throws {
    var file = try file(.line, ExportSamples.features(.line, count: 3, seed: 1))
    let root = file.root
    #expect(file.header.text(0, of: root) == "sample")
    #expect(file.header.doubles(1, of: root) == file.nodes[0].box)
    #expect(file.header.number(2, of: root, width: 1) == 2, "LineString")
    #expect(file.header.number(4, of: root, width: 1) == 1, "has measures")
    #expect(file.header.number(8, of: root, width: 8) == 3)
    #expect(file.header.number(9, of: root, width: 2) == 16)
    #expect(file.header.text(11, of: root) == "Samples")
    #expect(file.header.text(12, of: root) == "A sample")
    let system = file.header.table(10, of: root) ?? 0
    #expect(file.header.text(0, of: system) == "EPSG")
    #expect(file.header.number(1, of: system, width: 4) == 4326)
    let columns = (file.header.vector(7, of: root, width: 4) ?? []).map {
      file.header.reference(at: $0)
    }
    #expect(columns.map { file.header.number(1, of: $0, width: 1) } == [7, 11, 10, 2, 13])
    #expect(
      columns.map { file.header.text(0, of: $0) } == [
        "number", "name", "size", "is_good", "moment",
      ])
    #expect(columns.map { file.header.text(3, of: $0) }.first == "A number")
  }

  @Test func `a layer without features has neither an extent nor an index`() throws {
    var file = try file(.polygon, [])
    #expect(file.features.isEmpty && file.nodes.isEmpty)
    #expect(file.header.field(1, of: file.root) == nil)
    #expect(file.header.number(8, of: file.root, width: 8) == 0)
    #expect(file.header.number(9, of: file.root, width: 2) == 0)
    #expect(file.header.vector(7, of: file.root, width: 4)?.count == 5)
  }

  @Test func `features larger than a group keep their bytes`() throws {
    // Two features of more than a spool's piece, among small ones.
    var features = ExportSamples.features(.line, count: 40, seed: 9)
    for large in [3, 30] {
      for position in 0..<50_000 {
        features[large].geometry.append(
          x: Double(position % 100) / 7, y: Double(position % 90) / 3, measure: Double(position))
      }
    }
    let file = try file(.line, features)
    #expect(
      Set(file.features.map(\.coordinates)) == Set(features.map(\.geometry.coordinates)))
    #expect(file.misaligned == 0)
  }

  @Test func `the same features give the same bytes`() throws {
    let features = ExportSamples.features(.point, count: 50, seed: 2)
    let (first, second) = (ExportCollector(), ExportCollector())
    for collector in [first, second] {
      try FlatGeobufWriter(collector.stream).write(ExportSamples.layer(.point), features)
    }
    #expect(first.bytes == second.bytes && !first.bytes.isEmpty)
  }

  @Test func `an output that refuses bytes ends the export`() throws {
    let features = ExportSamples.features(.point, count: 20, seed: 3)
    let whole = ExportCollector()
    try FlatGeobufWriter(whole.stream).write(ExportSamples.layer(.point), features)
    let limited = ExportCollector(limit: whole.bytes.count - 1)
    #expect(throws: ExportFailure.refused) {
      try FlatGeobufWriter(limited.stream).write(ExportSamples.layer(.point), features)
    }
  }

  @Test func `a feature without positions is refused`() throws {
    var feature = ExportSamples.features(.point, count: 1, seed: 4)[0]
    feature.geometry.removeAll()
    #expect(
      throws: ExportFailure.failed(
        reason: "A feature of the layer “sample” has no positions.")
    ) {
      try FlatGeobufWriter(ExportCollector().stream).write(
        ExportSamples.layer(.point), [feature])
    }
  }
}
