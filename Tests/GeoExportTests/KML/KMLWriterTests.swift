import ByteStreams
import GeoExport
import Geodesy
import TestSupport
import Testing

@Suite struct KMLWriterTests {
  private static func iso(_ value: ExportValue) -> String? {
    guard case .time(let time) = value else { return nil }
    return Timestamp(millisecondsSince1970: time).iso8601
  }

  /// The values of a feature by name, as their texts; without the missing ones and without
  /// characters that XML forbids.
  private static func values(_ feature: ExportFeature, of layer: ExportLayer) -> [String: String] {
    var values: [String: String] = [:]
    for (field, value) in zip(layer.fields, feature.values) {
      switch value {
      case .null: break
      case .text(let text): values[field.name] = plain(text)
      case .integer(let number): values[field.name] = String(number)
      case .real(let number):
        values[field.name] =
          number == number.rounded() ? String(Int(number)) : String(describing: number)
      case .boolean(let value): values[field.name] = value ? "1" : "0"
      case .time: values[field.name] = iso(value)
      }
    }
    return values
  }

  private static func plain(_ text: String) -> String {
    var plain = ""
    plain.unicodeScalars.append(
      contentsOf: text.unicodeScalars.filter {
        ($0.value >= 0x20 || [9, 10, 13].contains($0.value)) && $0.value != 0xFFFE
          && $0.value != 0xFFFF
      })
    return plain
  }

  /// The numbers in a text.
  private static func numbers(_ text: String) -> [Double] {
    text.split { $0 == "," || $0 == " " }.map { Double($0) ?? .nan }
  }

  private static func rounded(_ degrees: some Sequence<Double>) -> [Double] {
    degrees.map { ($0 * 1e9).rounded() / 1e9 }
  }

  @Test(arguments: Seeds.sample(10))
  func `A layer is a document with its columns, and a feature a placemark`(seed: UInt64) throws {
    let layers = TextSamples.layers(count: 40, seed: seed)
    let text = try LayerWriting.text(of: layers) { KMLWriter($0, title: "Roqua") }
    let root = try XMLTree(parsing: text)
    let documents = root["Document"].flatMap { $0["Document"] }
    #expect(documents.count == layers.count)
    for (document, layer) in zip(documents, layers) {
      #expect(document["name"].first?.text == layer.layer.title)
      #expect(document["description"].first?.text == layer.layer.summary)
      let fields = document["Schema"].flatMap { $0["SimpleField"] }
      #expect(fields.map { $0.attributes["name"] } == layer.layer.fields.map(\.name))
      let placemarks = document["Placemark"]
      #expect(placemarks.count == layer.features.count)
      for (placemark, feature) in zip(placemarks, layer.features) {
        let pairs = placemark.all("SimpleData").map { ($0.attributes["name"] ?? "", $0.text) }
        let values = Dictionary(pairs) { first, _ in first }
        #expect(values == Self.values(feature, of: layer.layer))
        try check(placemark, feature, layer.layer.shape)
        check(times: placemark, feature, of: layer.layer)
      }
    }
  }

  private func check(
    _ placemark: XMLTree, _ feature: ExportFeature, _ shape: ExportLayer.Shape
  ) throws {
    let geometry = feature.geometry
    switch shape {
    case .point:
      let point = try #require(placemark["Point"].first)
      let text = point["coordinates"].first?.text ?? ""
      #expect(Self.numbers(text) == Self.rounded(geometry.coordinates))
    case .line where geometry.measures.contains { $0.isNaN }:
      let line = try #require(placemark["LineString"].first)
      let text = line["coordinates"].first?.text ?? ""
      #expect(Self.numbers(text) == Self.rounded(geometry.coordinates))
    case .line:
      let track = try #require(placemark["gx:Track"].first)
      let times = geometry.measures.map {
        Timestamp(millisecondsSince1970: Int64(($0 * 1_000).rounded())).iso8601
      }
      #expect(track["when"].map(\.text) == times)
      let positions = track["gx:coord"].map { Self.numbers($0.text) }
      #expect(positions.allSatisfy { $0.count == 3 && $0[2] == 0 })
      #expect(positions.flatMap { $0.prefix(2) } == Self.rounded(geometry.coordinates))
    case .polygon:
      let rings = placemark.all("LinearRing").map { $0["coordinates"].first?.text ?? "" }
      var (start, expected): (Int, [[Double]]) = (0, [])
      for end in geometry.ringEnds {
        expected.append(Self.rounded(geometry.coordinates[2 * start..<2 * end]))
        start = end
      }
      #expect(rings.map(Self.numbers) == expected)
      #expect(placemark.all("outerBoundaryIs").count == 1)
    }
  }

  /// Checks that a placemark has a moment or a span if its layer has one or two columns of times.
  private func check(times placemark: XMLTree, _ feature: ExportFeature, of layer: ExportLayer) {
    let times = layer.fields.indices.filter { layer.fields[$0].kind == .time }
      .map { Self.iso(feature.values[$0]) }
    let stamp = placemark["TimeStamp"].first?["when"].first?.text
    let span = placemark["TimeSpan"].first
    #expect(stamp == (times.count == 1 ? times[0] : nil))
    #expect(span?["begin"].first?.text == (times.count == 2 ? times[0] : nil))
    #expect(span?["end"].first?.text == (times.count == 2 ? times[1] : nil))
  }

  @Test(arguments: [
    ("name", "place", "A name"), ("city", "place", "Rome, 2024-05-01"),
    ("district", "place", "Lazio, 2024-05-01"), ("none", "place", "2024-05-01"),
    ("untimed", "place", "Rome"), ("nothing", "place", "Places 7"),
    ("fix", "segment", "2024-05-01T10:00:00Z"),
  ])
  func `A placemark has a name that people recognize`(
    kind: String, numberColumn: String, expected: String
  ) throws {
    var fields = [ExportField(numberColumn, .integer, "N")]
    fields += ["name", "district", "city"].map { ExportField($0, .text, "T") }
    if kind != "name" { fields.removeAll { $0.name == "name" } }
    fields += [ExportField("time", .time, "T")]
    let layer = ExportLayer(
      name: "a", title: "Places", summary: "A", shape: .point, fields: fields)
    var feature = ExportFeature()
    feature.geometry.append(x: 0, y: 0)
    feature.values = fields.map { field in
      switch field.name {
      case "name": .text("A name")
      case "city": ["city", "untimed", "name", "fix"].contains(kind) ? .text("Rome") : .null
      case "district": kind == "district" ? .text("Lazio") : .null
      case "time": ["untimed", "nothing"].contains(kind) ? .null : .time(1_714_557_600_000)
      default: .integer(7)
      }
    }
    let layers = [TextSamples.Layer(layer: layer, features: [feature])]
    let root = try XMLTree(
      parsing: try LayerWriting.text(of: layers) { KMLWriter($0, title: "Roqua") })
    #expect(root.all("Placemark").first?["name"].first?.text == expected)
  }

  @Test func `KMZ is an archive with the same document`() throws {
    let layers = TextSamples.layers(count: 300, seed: 1)
    let document = try LayerWriting.bytes(of: layers) { KMLWriter($0, title: "Roqua") }.bytes
    let bytes = try LayerWriting.bytes(of: layers) { stream throws(ExportFailure) in
      try KMZWriter(stream, title: "Roqua")
    }.bytes
    let archive = try ZipArchive(byteCount: bytes.count) { position, buffer in
      let piece = bytes.dropFirst(position).prefix(buffer.count)
      buffer.copyBytes(from: piece)
      return piece.count
    }
    let member = try #require(try archive.next())
    var unpacked: [UInt8] = []
    let ending = archive.read(member) {
      unpacked += $0
      return true
    }
    #expect(member.name == "doc.kml")
    #expect(ending == StreamEnding())
    #expect(unpacked == document)
    #expect(try archive.next() == nil)
  }
}
