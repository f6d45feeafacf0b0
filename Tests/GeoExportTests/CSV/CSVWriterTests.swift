import Foundation
import GeoExport
import Geodesy
import TestSupport
import Testing

@Suite struct CSVWriterTests {
  /// A value as text, made without the writer.
  private static func text(_ value: ExportValue) -> String {
    switch value {
    case .null: ""
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number):
      number == number.rounded() ? String(Int(number)) : String(describing: number)
    case .boolean(let value): value ? "true" : "false"
    case .time(let time): Timestamp(millisecondsSince1970: time).iso8601
    }
  }

  private static func degrees(_ value: Double) -> String {
    var text = String(format: "%.9f", value)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  private static func wellKnownText(
    _ geometry: ExportGeometry, _ shape: ExportLayer.Shape
  ) -> String {
    let positions = (0..<geometry.count).map {
      degrees(geometry.coordinates[2 * $0]) + " " + degrees(geometry.coordinates[2 * $0 + 1])
    }
    guard shape == .polygon else { return "LINESTRING (\(positions.joined(separator: ", ")))" }
    var (rings, start): ([String], Int) = ([], 0)
    for end in geometry.ringEnds {
      rings.append("(" + positions[start..<end].joined(separator: ", ") + ")")
      start = end
    }
    return "POLYGON (\(rings.joined(separator: ", ")))"
  }

  @Test(arguments: Seeds.sample(10))
  func `Rows have the values of features, and points their position first`(seed: UInt64) throws {
    for layer in TextSamples.layers(count: 40, seed: seed) {
      let text = try LayerWriting.text(of: [layer]) { CSVWriter($0) }
      let names = layer.layer.fields.map(\.name)
      let isPoint = layer.layer.shape == .point
      var expected = [isPoint ? ["longitude", "latitude"] + names : names + ["geometry"]]
      for feature in layer.features {
        let values = feature.values.map(Self.text)
        let position = feature.geometry.coordinates.prefix(2).map(Self.degrees)
        expected.append(
          isPoint
            ? position + values : values + [Self.wellKnownText(feature.geometry, layer.layer.shape)]
        )
      }
      let rows = SlowCSV.rows(of: text)
      #expect(rows.count == expected.count)
      #expect(zip(rows, expected).first { $0 != $1 } == nil)
    }
  }

  @Test func `A missing value differs from an empty text`() throws {
    let layer = ExportLayer(
      name: "a", title: "A", summary: "A", shape: .point,
      fields: [ExportField("b", .text, "B"), ExportField("c", .text, "C")])
    var feature = ExportFeature()
    feature.geometry.append(x: 1, y: -2.5)
    feature.values = [.null, .text("")]
    let text = try LayerWriting.text(of: [TextSamples.Layer(layer: layer, features: [feature])]) {
      CSVWriter($0)
    }
    #expect(text == "longitude,latitude,b,c\n1,-2.5,,\"\"\n")
  }

  @Test func `A second layer is refused`() {
    let layers = TextSamples.layers(count: 1, seed: 1)
    #expect(throws: ExportFailure.failed(reason: "a CSV file has one layer")) {
      try LayerWriting.text(of: layers) { CSVWriter($0) }
    }
  }
}
