/// What the placemarks of a layer have in common.
struct KMLLayout {
  /// The geometry of the layer's features.
  private(set) var shape = ExportLayer.Shape.point
  private var title = ""
  private var style = KMLStyle.point
  /// What comes before the value of each column.
  private var data: [[UInt8]] = []
  private var dataStart: [UInt8] = []
  /// The columns that say where a feature is, the best one first.
  private var places: [Int] = []
  private var nameColumn: Int?
  /// The columns of times: that of a moment, or those of a beginning and an end.
  private var times: [Int] = []
  private var id: Int?

  /// Columns that name a place, the best one first; a source is better than nothing.
  private static let placeColumns = [
    "city", "quarter", "district", "region", "country", "source",
  ]

  init() {}

  init(_ layer: ExportLayer) {
    (shape, title, style) = (layer.shape, layer.title, KMLStyle(of: layer))
    dataStart = Array(
      """
      <styleUrl>#\(style.rawValue)</styleUrl><ExtendedData><SchemaData schemaUrl="#\(layer.name)">
      """.utf8)
    data = layer.fields.map { Array("<SimpleData name=\"\($0.name)\">".utf8) }
    places = Self.placeColumns.compactMap { name in
      layer.fields.firstIndex { $0.name == name && $0.kind == .text }
    }
    nameColumn = layer.fields.firstIndex { $0.name == "name" && $0.kind == .text }
    times = layer.fields.indices.filter { layer.fields[$0].kind == .time }
    id = layer.fields.firstIndex { $0.kind == .integer }
  }

  // MARK: - Name

  /// Appends what people recognize a feature by, and the end tag of `name`: the column `name` as it
  /// is, because GDAL reads only one of the two; the time of a fix; the place and the date of other
  /// features; the layer's title and a number for those that have neither.
  func appendName(of feature: ExportFeature, to bytes: inout [UInt8]) {
    let time = times.lazy.compactMap { feature.values[$0].milliseconds }.first
    if let nameColumn, let name = feature.values[nameColumn].text {
      bytes.appendXML(name)
    } else if style == .dot, let time {
      bytes.appendTime(milliseconds: time)
    } else {
      let name = places.lazy.compactMap { feature.values[$0].text }.first { !$0.isEmpty }
      if let name { bytes.appendXML(name) }
      if let time {
        if name != nil { bytes.append(contentsOf: Text.separator) }
        // The date is 10 characters, and the time of day at most 14 more.
        let start = bytes.count
        bytes.appendTime(milliseconds: time)
        bytes.removeLast(bytes.count - start - 10)
      }
      if name == nil, time == nil { appendNumber(of: feature, to: &bytes) }
    }
    bytes.append(contentsOf: Text.nameEnd)
  }

  private func appendNumber(of feature: ExportFeature, to bytes: inout [UInt8]) {
    bytes.appendXML(title)
    guard let id, case .integer(let number) = feature.values[id] else { return }
    bytes.append(UInt8(ascii: " "))
    bytes.appendInteger(number)
  }

  // MARK: - Times and data

  /// Appends a `TimeStamp` if the layer has one column of times, a `TimeSpan` if it has two.
  func appendTimes(of feature: ExportFeature, to bytes: inout [UInt8]) {
    let first = times.first.flatMap { feature.values[$0].milliseconds }
    guard times.count > 1 else {
      guard let first else { return }
      bytes.append(contentsOf: Text.stamp)
      bytes.appendTime(milliseconds: first)
      bytes.append(contentsOf: Text.stampEnd)
      return
    }
    let last = feature.values[times[1]].milliseconds
    guard first != nil || last != nil else { return }
    bytes.append(contentsOf: Text.span)
    if let first {
      bytes.append(contentsOf: Text.begin)
      bytes.appendTime(milliseconds: first)
      bytes.append(contentsOf: Text.beginEnd)
    }
    if let last {
      bytes.append(contentsOf: Text.end)
      bytes.appendTime(milliseconds: last)
      bytes.append(contentsOf: Text.endEnd)
    }
    bytes.append(contentsOf: Text.spanEnd)
  }

  /// Appends the style and the values that are not missing.
  func appendData(of feature: ExportFeature, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: dataStart)
    for (start, value) in zip(data, feature.values) where value != .null {
      bytes.append(contentsOf: start)
      switch value {
      case .text(let text): bytes.appendXML(text)
      // GDAL takes `true` for 0.
      case .boolean(let value): bytes.append(UInt8(ascii: value ? "1" : "0"))
      case .null, .integer, .real, .time: value.appendPlain(to: &bytes)
      }
      bytes.append(contentsOf: Text.valueEnd)
    }
    bytes.append(contentsOf: Text.dataEnd)
  }

  private enum Text {
    static let separator = Array(", ".utf8)
    static let nameEnd = Array("</name>".utf8)
    static let stamp = Array("<TimeStamp><when>".utf8)
    static let stampEnd = Array("</when></TimeStamp>".utf8)
    static let span = Array("<TimeSpan>".utf8)
    static let begin = Array("<begin>".utf8)
    static let beginEnd = Array("</begin>".utf8)
    static let end = Array("<end>".utf8)
    static let endEnd = Array("</end>".utf8)
    static let spanEnd = Array("</TimeSpan>".utf8)
    static let valueEnd = Array("</SimpleData>".utf8)
    static let dataEnd = Array("</SchemaData></ExtendedData>".utf8)
  }
}

extension ExportValue {
  /// The moment of a time.
  fileprivate var milliseconds: Int64? { if case .time(let time) = self { time } else { nil } }
  /// The text of a text.
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension ExportField {
  /// Whether the column is a number that only distinguishes features.
  fileprivate var isIdentifier: Bool { name == "id" || name.hasSuffix("_id") }
}

extension [UInt8] {
  /// Appends the description of a layer's columns.
  mutating func appendSchema(of layer: ExportLayer) {
    append(contentsOf: "<Schema name=\"\(layer.name)\" id=\"\(layer.name)\">\n".utf8)
    for field in layer.fields {
      let type =
        switch field.kind {
        case .text, .time: "string"
        // KML has no whole numbers of more than 32 bits. Nobody calculates with identifiers.
        case .integer: field.isIdentifier ? "string" : "int"
        case .real: "double"
        case .boolean: "bool"
        }
      append(contentsOf: "<SimpleField type=\"\(type)\" name=\"\(field.name)\"><displayName>".utf8)
      appendXML(field.summary)
      append(contentsOf: "</displayName></SimpleField>\n".utf8)
    }
    append(contentsOf: "</Schema>\n".utf8)
  }
}
