import CSQLite
import Foundation
import SQLiteLayer
import TestSupport

@testable import GeoExport

/// Layers with columns of all kinds, and features with and without values.
enum SampleLayer {
  static let fields = [
    ExportField("id", .integer, "The number"), ExportField("name", .text, "The \"name\""),
    ExportField("height", .real, "The height in meters"),
    ExportField("flight", .boolean, "Whether it's a flight"),
    ExportField("time", .time, "The time"),
  ]

  static func layer(_ shape: ExportLayer.Shape, name: String) -> ExportLayer {
    ExportLayer(
      name: name, title: "Title of \(name)", summary: "A <\(name)>", shape: shape, fields: fields)
  }

  /// Features whose numbers are exact, so that the databases must give the same ones back.
  static func features(_ shape: ExportLayer.Shape, count: Int, seed: UInt64) -> [ExportFeature] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      var feature = ExportFeature()
      fill(&feature.geometry, shape, using: &random)
      // From 1583 on, where Foundation's calendar is Gregorian, to 9999.
      let time = Int64.random(in: -12_212_553_600_000...253_402_300_799_999, using: &random)
      let texts = ["", "Köln", "東京 'x' \"y\"", String(repeating: "long ", count: 400)]
      feature.values = [
        .integer(index == 0 ? .min : Int64.random(in: .min ... .max, using: &random)),
        .text(texts[index % texts.count]), .real(Double.random(in: -1e9...1e9, using: &random)),
        .boolean(Bool.random(using: &random)),
        .time(index % 2 == 0 ? time : time / 1_000 * 1_000),
      ]
      .map { Int.random(in: 0..<4, using: &random) == 0 ? .null : $0 }
      return feature
    }
  }

  private static func fill(
    _ geometry: inout ExportGeometry, _ shape: ExportLayer.Shape, using random: inout SplitMix64
  ) {
    let x = Double(Int.random(in: -1_790_000_000...1_790_000_000, using: &random)) / 1e7
    let y = Double(Int.random(in: -890_000_000...890_000_000, using: &random)) / 1e7
    switch shape {
    case .point: geometry.append(x: x, y: y)
    case .line:
      for place in 0..<Int.random(in: 2...20, using: &random) {
        let measure = place % 5 == 3 ? Double.nan : Double(place) + 0.125
        geometry.append(x: x + Double(place) / 64, y: y, measure: measure)
      }
    case .polygon:
      let size = Bool.random(using: &random) ? 1.0 : 0.5
      for (dx, dy) in [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)] {
        geometry.append(x: x + size * Double(dx), y: y + size * Double(dy))
      }
      geometry.endRing()
      guard Bool.random(using: &random) else { return }
      for (dx, dy) in [(0.25, 0.25), (0.25, 0.5), (0.5, 0.5), (0.25, 0.25)] {
        geometry.append(x: x + size * dx, y: y + size * dy)
      }
      geometry.endRing()
    }
  }

  /// Writes layers of these sizes, and returns the database.
  static func write(
    _ layers: [(layer: ExportLayer, features: [ExportFeature])], to folder: TemporaryFolder,
    _ make: (String, ExportDescription) throws -> any LayerWriter
  ) throws -> Connection {
    let path = try folder.write([UInt8](), to: "out.db")
    let description = ExportDescription(
      title: "All <&> places", creator: "Roqua 1", created: 1_714_557_600_000)
    let writer = try make(path, description)
    for (layer, features) in layers {
      try writer.begin(layer)
      for feature in features { try writer.add(feature) }
      try writer.end()
    }
    try writer.finish()
    return try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
  }

  /// The values of a row as the database should have them.
  static func expected(_ value: ExportValue) -> ExportValue {
    switch value {
    case .boolean(let isTrue): .integer(isTrue ? 1 : 0)
    case .time(let milliseconds): .text(slowTime(milliseconds))
    default: value
    }
  }

  /// Reads the value in a column.
  static func value(_ row: borrowing Statement, at column: Int32) -> ExportValue {
    switch row.type(at: column) {
    case SQLITE_INTEGER: .integer(row.int64(at: column))
    case SQLITE_FLOAT: .real(row.double(at: column))
    case SQLITE_TEXT: .text(row.text(at: column) ?? "")
    default: .null
    }
  }

  /// A time with milliseconds, made by Foundation's calendar.
  private static func slowTime(_ milliseconds: Int64) -> String {
    let days = milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds + 1) / 86_400_000 - 1
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    let noon = Date(timeIntervalSince1970: Double(days) * 86_400 + 43_200)
    let date = calendar.dateComponents([.year, .month, .day], from: noon)
    let rest = milliseconds - days * 86_400_000
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", date.year ?? 0, date.month ?? 0,
      date.day ?? 0, rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60, rest % 1_000)
  }
}
