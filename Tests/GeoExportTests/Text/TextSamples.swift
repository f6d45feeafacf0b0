import GeoExport
import TestSupport

/// Layers with the columns of Roqua's exports, and features with values that formats must escape.
enum TextSamples {
  /// A layer with its features.
  struct Layer {
    let layer: ExportLayer
    var features: [ExportFeature]
  }

  /// Texts with everything that JSON, XML, CSV or well-known text uses itself.
  static let texts = [
    "München", "a,b;c", "say \"hi\"", "<b>&amp;</b> ' ]]>", "line\nend", "carriage\r\nreturn",
    "tab\there", "", " blank ", "\u{1}\u{1B}[31m\u{7F}\u{85}", "東京 🗼", "\u{FFFE}x\u{FFFF}",
    "back\\slash/", "=1+1", "\u{2028}", "e\u{301}", "null", "12", "\u{FEFF}mark",
  ]

  /// All layers, each with a number of features.
  static func layers(count: Int, seed: UInt64) -> [Layer] {
    var random = SplitMix64(seed: seed)
    return [regions, tracks, fixes, coverage, places].map { layer in
      var sequence = Sequence()
      return Layer(
        layer: layer,
        features: (0..<count).map { feature(of: layer, $0, &sequence, using: &random) })
    }
  }

  static let regions = ExportLayer(
    name: "regions", title: "Visited regions", summary: "A disc around a kept fix", shape: .point,
    fields: [
      ExportField("id", .integer, "The number"), ExportField("radius", .integer, "Meters"),
      ExportField("timestamp_start", .time, "The first time"),
      ExportField("timestamp_end", .time, "The last time"),
      ExportField("visit_count", .integer, "The number of visits"),
      ExportField("city", .text, "The city"), ExportField("country", .text, "The country"),
      ExportField("geohash", .text, "The geohash"), ExportField("accuracy", .real, "Meters"),
    ])
  static let tracks = ExportLayer(
    name: "tracks", title: "Tracks", summary: "A segment of a source", shape: .line,
    fields: [
      ExportField("source_id", .integer, "The number of the source"),
      ExportField("source", .text, "The source"), ExportField("segment", .integer, "The segment"),
      ExportField("start_time", .time, "The first time"),
      ExportField("end_time", .time, "The last time"),
      ExportField("fixes", .integer, "The number of fixes"),
      ExportField("distance_meters", .real, "The length"),
    ])
  static let fixes = ExportLayer(
    name: "fixes", title: "Kept fixes", summary: "A position", shape: .point,
    fields: [
      ExportField("source_id", .integer, "The number of the source"),
      ExportField("source", .text, "The source"), ExportField("segment", .integer, "The segment"),
      ExportField("time", .time, "The time"), ExportField("accuracy", .real, "Meters"),
      ExportField("flight", .boolean, "Whether it belongs to a flight"),
    ])
  static let coverage = ExportLayer(
    name: "coverage", title: "Explored area", summary: "A polygon of cells", shape: .polygon,
    fields: [
      ExportField("id", .integer, "The number"), ExportField("cells", .integer, "The cells"),
      ExportField("area_square_kilometers", .real, "The area"),
    ])
  static let places = ExportLayer(
    name: "places", title: "Places", summary: "A place & its \"visits\"", shape: .point,
    fields: [
      ExportField("kind", .text, "City or country"), ExportField("name", .text, "The name"),
      ExportField("country_code", .text, "The code"),
      ExportField("regions", .integer, "The number of regions"),
      ExportField("first_time", .time, "The first time"),
      ExportField("last_time", .time, "The last time"),
    ])

  // MARK: - Features

  /// The source and the segment of the next feature.
  struct Sequence {
    var (source, segment): (Int64, Int64) = (1, 0)
  }

  private static func feature(
    of layer: ExportLayer, _ index: Int, _ sequence: inout Sequence,
    using random: inout SplitMix64
  ) -> ExportFeature {
    var feature = ExportFeature()
    if index % 7 == 6 { sequence.segment += 1 }
    if index % 25 == 24 { sequence = Sequence(source: sequence.source + 1, segment: 0) }
    let start = time(using: &random)
    switch layer.shape {
    case .point:
      let (x, y) = index < corners.count ? corners[index] : position(using: &random)
      feature.geometry.append(x: x, y: y)
    case .line: line(index, from: start, into: &feature.geometry, using: &random)
    case .polygon: polygon(index, into: &feature.geometry, using: &random)
    }
    feature.values = layer.fields.map { field in
      switch field.name {
      case "source_id": return .integer(sequence.source)
      case "source": return .text(texts[Int(sequence.source) % texts.count])
      case "segment": return .integer(sequence.segment)
      default: break
      }
      if Int.random(in: 0..<5, using: &random) == 0 { return .null }
      switch field.kind {
      case .text: return .text(texts[Int.random(in: texts.indices, using: &random)])
      case .integer: return .integer(.random(in: -9...2_000_000_000, using: &random))
      case .real:
        let isRound = Bool.random(using: &random)
        return isRound
          ? .real(Double(Int.random(in: 1...5_000, using: &random)) / 100)
          : .real(.random(in: 1e-9...1e9, using: &random))
      case .boolean: return .boolean(.random(using: &random))
      case .time: return .time(start)
      }
    }
    return feature
  }

  private static let corners = [
    (-180.0, -90.0), (180.0, 90.0), (0.0, 0.0), (-0.0000001, 0.0000001), (12.0, -45.5),
  ]

  private static func time(using random: inout SplitMix64) -> Int64 {
    let seconds = Int64.random(in: 0...2_000_000_000, using: &random) * 1_000
    return Bool.random(using: &random) ? seconds : seconds + .random(in: 0...999, using: &random)
  }

  /// A position of whole units of 1e-7 degree.
  private static func position(using random: inout SplitMix64) -> (Double, Double) {
    (
      Double(Int.random(in: -1_800_000_000..<1_800_000_000, using: &random)) / 1e7,
      Double(Int.random(in: -900_000_000...900_000_000, using: &random)) / 1e7
    )
  }

  /// A line; in every third one some times are unknown, in every fifth one all.
  private static func line(
    _ index: Int, from start: Int64, into geometry: inout ExportGeometry,
    using random: inout SplitMix64
  ) {
    for place in 0..<Int.random(in: 2...9, using: &random) {
      let (x, y) = position(using: &random)
      let isUnknown = index % 5 == 4 || (index % 3 == 2 && place % 2 == 1)
      let seconds = Double(start + Int64(place) * 1_001) / 1_000
      geometry.append(x: x, y: y, measure: isUnknown ? .nan : seconds)
    }
  }

  /// A square of thirds of degrees, in every second one with holes.
  private static func polygon(
    _ index: Int, into geometry: inout ExportGeometry, using random: inout SplitMix64
  ) {
    let x = Double(Int.random(in: -530..<500, using: &random)) / 3
    let y = Double(Int.random(in: -260..<240, using: &random)) / 3
    let outer = [(0, 0), (6, 0), (6, 6), (0, 6), (0, 0)]
    let holes = [
      [(1, 1), (1, 2), (2, 2), (2, 1), (1, 1)], [(4, 4), (4, 5), (5, 5), (5, 4), (4, 4)],
    ]
    for ring in [outer] + (index % 2 == 1 ? holes : []) {
      for (column, row) in ring {
        geometry.append(x: x + Double(column) / 3, y: y + Double(row) / 3)
      }
      geometry.endRing()
    }
  }
}
