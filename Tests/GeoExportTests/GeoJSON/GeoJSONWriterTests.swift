import GeoExport
import Geodesy
import TestSupport
import Testing

@Suite struct GeoJSONWriterTests {
  /// A feature as JSON, made without the writer.
  private static func expected(
    _ feature: ExportFeature, of layer: ExportLayer, isNamed: Bool
  ) -> JSONTree {
    var properties: [String: JSONTree] = isNamed ? ["layer": .string(layer.name)] : [:]
    for (field, value) in zip(layer.fields, feature.values) {
      properties[field.name] =
        switch value {
        case .null: .null
        case .text(let text): .string(text)
        case .integer(let number): .number(Double(number))
        case .real(let number): .number(number)
        case .boolean(let value): .bool(value)
        case .time(let time): .string(Timestamp(millisecondsSince1970: time).iso8601)
        }
    }
    let geometry = feature.geometry
    let positions = (0..<geometry.count).map { index -> JSONTree in
      .array(geometry.coordinates[2 * index...2 * index + 1].map { .number(rounded($0)) })
    }
    var (type, coordinates) = ("Point", positions[0])
    if layer.shape == .line {
      (type, coordinates) = ("LineString", .array(positions))
      properties["times"] = .array(
        geometry.measures.map {
          let time = Timestamp(millisecondsSince1970: $0.isNaN ? 0 : Int64(($0 * 1e3).rounded()))
          return $0.isNaN ? .null : .string(time.iso8601)
        })
    } else if layer.shape == .polygon {
      var (rings, start): ([JSONTree], Int) = ([], 0)
      for end in geometry.ringEnds {
        rings.append(.array(Array(positions[start..<end])))
        start = end
      }
      (type, coordinates) = ("Polygon", .array(rings))
    }
    return .object([
      "type": .string("Feature"), "properties": .object(properties),
      "geometry": .object(["type": .string(type), "coordinates": coordinates]),
    ])
  }

  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }

  @Test(arguments: Seeds.sample(10))
  func `A collection has the features of all layers, which state their layer`(seed: UInt64) throws {
    let layers = TextSamples.layers(count: 40, seed: seed)
    let text = try LayerWriting.text(of: layers) {
      GeoJSONWriter($0, form: .collection, layerCount: layers.count)
    }
    let tree = try JSONTree(parsing: text)
    let expected = layers.flatMap { layer in
      layer.features.map { Self.expected($0, of: layer.layer, isNamed: true) }
    }
    #expect(tree.names == ["type", "features"])
    #expect(tree.type == .string("FeatureCollection"))
    #expect(tree.features.elements.count == expected.count)
    #expect(zip(tree.features.elements, expected).first { $0 != $1 } == nil)
  }

  @Test(arguments: Seeds.sample(10))
  func `Lines have a feature each, which states no layer if there is only one`(seed: UInt64) throws
  {
    for layer in TextSamples.layers(count: 40, seed: seed) {
      let text = try LayerWriting.text(of: [layer]) {
        GeoJSONWriter($0, form: .lines, layerCount: 1)
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.last == "" && lines.count == layer.features.count + 1)
      for (line, feature) in zip(lines, layer.features) {
        #expect(
          try JSONTree(parsing: line) == Self.expected(feature, of: layer.layer, isNamed: false))
      }
    }
  }

  @Test func `A line without columns has its times only`() throws {
    let layer = ExportLayer(name: "a", title: "A", summary: "A", shape: .line, fields: [])
    var feature = ExportFeature()
    feature.geometry.append(x: 1, y: 2, measure: 3)
    feature.geometry.append(x: 1.5, y: 2, measure: .nan)
    let text = try LayerWriting.text(of: [TextSamples.Layer(layer: layer, features: [feature])]) {
      GeoJSONWriter($0, form: .lines, layerCount: 1)
    }
    #expect(
      text == """
        {"type":"Feature","properties":{"times":["1970-01-01T00:00:03Z",null]},\
        "geometry":{"type":"LineString","coordinates":[[1,2],[1.5,2]]}}

        """)
  }
}
