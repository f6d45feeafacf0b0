/// Finds the first element of a text that begins with `<`.
struct XMLSniffer {
  private let text: [UInt8]
  private let start: Int

  init(_ text: [UInt8], from start: Int) {
    self.text = text
    self.start = start
  }

  /// The format of a track, another known XML format, or unknown.
  var kind: ContentKind { finding.kind }

  /// The kind, and the index of the tag that shows it; nil if there is only the beginning of one.
  var finding: (kind: ContentKind, index: Int?) {
    var at = start
    while at < text.count {
      guard text[at] == 0x3C else {
        at += 1
        continue
      }
      let rest = text[at...]
      if rest.starts(with: "<!--".utf8) {
        guard let end = end(of: "-->", from: at + 4) else { return (.track(.gpx), nil) }
        at = end
      } else if rest.starts(with: "<?".utf8) {
        guard let end = end(of: ">", from: at) else { return (.track(.gpx), nil) }
        at = end
      } else if rest.starts(with: "<!".utf8) {
        guard let end = endOfDocumentType(from: at + 2) else {
          // The root is after the prefix: the declaration names it.
          return (rootKind(documentTypeName(from: at + 2)), at)
        }
        at = end
      } else {
        return (rootKind(name(from: at + 1)), at)
      }
    }
    // Only comments and instructions so far: it may be GPX, and the decoder decides.
    return (.track(.gpx), nil)
  }

  /// The format of the track that follows text before the first tag (headers of a download, for
  /// example). Nil for binary data.
  static func formatInside(_ text: ArraySlice<UInt8>) -> SourceFormat? {
    findingInside(text)?.format
  }

  /// The format of that track, and the index of its first tag.
  static func findingInside(
    _ text: ArraySlice<UInt8>
  ) -> (format: SourceFormat, index: Int)? {
    for index in text.indices {
      let byte = text[index]
      if byte < 0x20, !DecimalText.isSpace(byte) { return nil }
      guard byte == 0x3C else { continue }
      let sniffer = XMLSniffer(Array(text[index...].prefix(512)), from: 0)
      if case .track(let format) = Self.kind(ofRoot: sniffer.name(from: 1)) {
        return (format, index)
      }
    }
    return nil
  }

  // MARK: - Parts

  /// The kind by the name of the root, and for the parts of KML, whose names other formats use too,
  /// by its namespace or its coordinates.
  private func rootKind(_ name: String) -> ContentKind {
    guard name == "Document" || name == "Placemark" else { return Self.kind(ofRoot: name) }
    let marks: [StaticString] = ["opengis.net/kml", "earth.google.com", "<coordinates"]
    let isKML = marks.contains { text.contains(subsequence: $0) }
    return isKML ? .track(.kml) : .unknown
  }

  private static func kind(ofRoot name: String) -> ContentKind {
    switch name {
    case "gpx", "trk", "trkseg", "trkpt", "rte", "rtept", "wpt": .track(.gpx)
    case "TrainingCenterDatabase": .track(.tcx)
    case "kml": .track(.kml)
    case "html", "HTML", "head", "body": .foreign("a web page")
    case "svg": .foreign("an SVG image")
    case "osm": .foreign("an OpenStreetMap extract")
    default: .unknown
    }
  }

  /// The local name that begins at `index`.
  private func name(from index: Int) -> String {
    let name = text[index...].prefix { byte in
      switch byte {
      case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E: true
      default: false
      }
    }
    return String(decoding: name.split(separator: 0x3A).last ?? [], as: UTF8.self)
  }

  /// The name after `DOCTYPE`.
  private func documentTypeName(from index: Int) -> String {
    let rest = text[index...].drop { !DecimalText.isSpace($0) }.drop { DecimalText.isSpace($0) }
    return name(from: rest.startIndex)
  }

  private func endOfDocumentType(from index: Int) -> Int? {
    var skipper = XMLDocumentTypeSkipper()
    return text[index...].firstIndex { skipper.take($0) }.map { $0 + 1 }
  }

  private func end(of mark: String, from index: Int) -> Int? {
    let bytes = Array(mark.utf8)
    return text[min(index, text.count)...].indices.first { text[$0...].starts(with: bytes) }.map {
      $0 + bytes.count
    }
  }
}
