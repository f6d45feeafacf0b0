import TestSupport

@testable import GeoExport

/// Layers and features for tests of writers.
enum ExportSamples {
  /// A layer with a column of each kind.
  static func layer(_ shape: ExportLayer.Shape) -> ExportLayer {
    ExportLayer(
      name: "sample", title: "Samples", summary: "A sample", shape: shape,
      fields: [
        ExportField("number", .integer, "A number"), ExportField("name", .text, "A name"),
        ExportField("size", .real, "A size"), ExportField("is_good", .boolean, "Whether it is"),
        ExportField("moment", .time, "A time"),
      ])
  }

  /// Texts that are easily damaged.
  static let texts = ["", "\u{0}", "a\u{0}b", "🌍", "e\u{301}", "\u{E9}", "line\nend", "“quote”"]

  /// A random feature of ``layer(_:)``.
  static func feature(
    _ shape: ExportLayer.Shape, nullsIn: Int = 4, using random: inout SplitMix64
  ) -> ExportFeature {
    var feature = ExportFeature()
    let x = Double(Int.random(in: -1_700_000_000...1_700_000_000, using: &random)) / 1e7
    let y = Double(Int.random(in: -800_000_000...800_000_000, using: &random)) / 1e7
    switch shape {
    case .point: feature.geometry.append(x: x, y: y)
    case .line:
      for position in 0..<Int.random(in: 2...9, using: &random) {
        let measure = Double(Int.random(in: 0...2_000_000_000, using: &random)) + 0.25
        feature.geometry.append(
          x: x + Double(position) / 8, y: y - Double(position) / 16,
          measure: Bool.random(using: &random) ? measure : .nan)
      }
    case .polygon:
      for ring in 0...Int.random(in: 0...2, using: &random) {
        let (left, side) = ring == 0 ? (x, 4.0) : (x + Double(ring), 0.5)
        let corners = [(0.0, 0.0), (side, 0), (side, side), (0, side), (0, 0)]
        for (right, up) in ring == 0 ? corners : corners.reversed() {
          feature.geometry.append(x: left + right, y: y + 1 + up)
        }
        feature.geometry.endRing()
      }
    }
    let values: [ExportValue] = [
      .integer(Int64(bitPattern: random.next())),
      .text(texts[Int.random(in: 0..<texts.count, using: &random)]),
      .real(Double.random(in: -1e9...1e9, using: &random)),
      .boolean(Bool.random(using: &random)),
      .time(Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)),
    ]
    feature.values = values.map {
      Int.random(in: 0..<nullsIn, using: &random) == 0 ? .null : $0
    }
    return feature
  }

  /// Random features.
  static func features(
    _ shape: ExportLayer.Shape, count: Int, nullsIn: Int = 4, seed: UInt64
  ) -> [ExportFeature] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in feature(shape, nullsIn: nullsIn, using: &random) }
  }
}

/// Collects the bytes of an output, and refuses them from some size on.
final class ExportCollector {
  private(set) var bytes: [UInt8] = []
  private(set) var pieces = 0
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  var stream: ExportStream {
    ExportStream { piece in
      guard self.bytes.count + piece.count <= self.limit else { return false }
      self.bytes += piece
      self.pieces += 1
      return true
    }
  }
}

extension LayerWriter {
  /// Writes a layer and completes the file.
  func write(_ layer: ExportLayer, _ features: [ExportFeature]) throws {
    try begin(layer)
    for feature in features { try add(feature) }
    try end()
    try finish()
  }
}
