import GeoExport
import TestSupport
import Testing

/// What holds for the writers of all text formats.
@Suite struct LayerWriterTests {
  struct Format: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let layerName: String
    let make: @Sendable (ExportStream) throws(ExportFailure) -> any LayerWriter
  }

  static let formats = [
    Format(testDescription: "CSV", layerName: "coverage") { CSVWriter($0) },
    Format(testDescription: "GeoJSON", layerName: "coverage") {
      GeoJSONWriter($0, form: .collection, layerCount: 1)
    },
    Format(testDescription: "GeoJSON lines", layerName: "tracks") {
      GeoJSONWriter($0, form: .lines, layerCount: 1)
    },
    Format(testDescription: "KML", layerName: "tracks") { KMLWriter($0, title: "Roqua") },
    Format(testDescription: "KML with an area", layerName: "coverage") {
      KMLWriter($0, title: "Roqua")
    },
    Format(testDescription: "KMZ", layerName: "tracks") { stream throws(ExportFailure) in
      try KMZWriter(stream, title: "Roqua")
    },
    Format(testDescription: "GPX", layerName: "fixes") { GPXWriter($0) },
  ]

  @Test(arguments: formats)
  func `A refused piece ends the export`(format: Format) throws {
    let layers = TextSamples.layers(count: 9, seed: 1).filter {
      $0.layer.name == format.layerName
    }
    let stream = ExportStream { _ in false }
    #expect(throws: ExportFailure.refused) {
      try LayerWriting.write(layers, to: try format.make(stream))
    }
  }

  @Test(arguments: formats)
  func `A large geometry is written in pieces`(format: Format) throws {
    var feature = ExportFeature()
    for index in 0..<100_000 {
      let (x, y) = (Double(index) / 1e3 - 90, Double(index % 90) + 0.123_456_789)
      feature.geometry.append(x: x, y: y, measure: Double(index))
    }
    feature.geometry.endRing()
    guard
      let layer = TextSamples.layers(count: 0, seed: 1).first(where: {
        $0.layer.name == format.layerName
      })?.layer
    else { throw ExportFailure.canceled }
    guard layer.shape != .point else { return }
    feature.values = layer.fields.map { _ in .null }
    let (bytes, largest) = try LayerWriting.bytes(
      of: [TextSamples.Layer(layer: layer, features: [feature])], format.make)
    #expect(bytes.count > 3 * ExportStream.pieceBytes || format.testDescription == "KMZ")
    #expect(largest < ExportStream.pieceBytes + 1 << 17)
  }

  @Test(arguments: formats)
  func `A file without features is complete`(format: Format) throws {
    let layers = TextSamples.layers(count: 0, seed: 1).filter {
      $0.layer.name == format.layerName
    }
    let text = try LayerWriting.text(of: layers, format.make)
    switch format.testDescription {
    case "CSV": #expect(text == "id,cells,area_square_kilometers,geometry\n")
    case "GeoJSON": #expect(text == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
    case "GeoJSON lines": #expect(text.isEmpty)
    case "KMZ": #expect(text.hasPrefix("PK"))
    default: #expect(try XMLTree(parsing: text).all("Placemark").isEmpty)
    }
  }
}
