import Geodesy

/// Reads what a photo says from the tags that exiftool prints with `-G -n`.
package struct PhotoTags {
  /// Values by group and name: `EXIF:DateTimeOriginal`.
  private let values: [String: String]

  /// The tags that are read, as exiftool's arguments name them.
  package static let names = [
    "MIMEType", "Make", "Model", "SerialNumber", "DateTimeOriginal", "SubSecTimeOriginal",
    "OffsetTimeOriginal", "CreateDate", "SubSecTimeDigitized", "OffsetTimeDigitized",
    "OffsetTime", "CreationDate", "Composite:GPSDateTime", "XMP:GPSDateTime",
    "Composite:GPSLatitude", "Composite:GPSLongitude", "XMP:GPSLatitude", "XMP:GPSLongitude",
    "GPSProcessingMethod", "XMPToolkit",
  ]

  /// The value of `GPSProcessingMethod` for a position that was added later; the other ones of the
  /// standard are GPS, CELLID and WLAN (CIPA DC-008-2019, Exif 2.32).
  package static let manualMethod = "MANUAL"
  /// The name of the program in the sidecars that Roqua makes (`x:xmptk`).
  package static let toolkit = "Roqua"

  /// Reads the tags of one file.
  package init(_ values: [String: String]) { self.values = values }

  /// What they say about the file at a path.
  package func facts(path: String) -> PhotoFacts {
    var facts = PhotoFacts(path: path)
    facts.isVideo = values["File:MIMEType"]?.hasPrefix("video/") ?? false
    facts.camera = camera
    if let (position, group) = position {
      facts.position = position
      facts.isPositionMeasured = isMeasured(group)
    }
    facts.gpsTime =
      ["Composite:GPSDateTime", "XMP:GPSDateTime"].lazy.compactMap { name in
        values[name].flatMap(Self.time).map {
          Timestamp(millisecondsSince1970: $0.local - ($0.offset ?? 0))
        }
      }.first
    facts.clockTime = clockTime
    if facts.isVideo, let date = values["QuickTime:CreateDate"].flatMap(Self.time) {
      facts.videoTime = Timestamp(millisecondsSince1970: date.local - (date.offset ?? 0))
    }
    return facts
  }

  private var camera: String? {
    guard let model = first(of: "Model") else { return nil }
    let maker = first(of: "Make").flatMap { model.hasPrefix($0) ? nil : $0 }
    return [maker, model, first(of: "SerialNumber")].compactMap { $0 }.joined(separator: " ")
  }

  /// The position, and the group of the tags that state it.
  private var position: (Coordinate, group: String)? {
    for group in ["Composite", "XMP"] {
      guard let latitude = values["\(group):GPSLatitude"].flatMap(Double.init),
        let longitude = values["\(group):GPSLongitude"].flatMap(Double.init),
        let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
        !coordinate.isNullIsland
      else { continue }
      return (coordinate, group)
    }
    return nil
  }

  /// Whether the position of a group was measured, as far as the file says. Sidecars of earlier
  /// versions name no method, only the program that made them.
  private func isMeasured(_ group: String) -> Bool {
    guard group == "XMP" else { return values["EXIF:GPSProcessingMethod"] != Self.manualMethod }
    return values["XMP:GPSProcessingMethod"] != Self.manualMethod
      && values["XMP:XMPToolkit"] != Self.toolkit
  }

  /// When the photo was taken; else when it was digitized; of a video, the time with its zone that
  /// phones write.
  private var clockTime: PhotoFacts.ClockTime? {
    if let time = values["QuickTime:CreationDate"].flatMap(Self.time) { return time }
    let exif = [
      ("EXIF:DateTimeOriginal", "SubSecTimeOriginal", "OffsetTimeOriginal"),
      ("EXIF:CreateDate", "SubSecTimeDigitized", "OffsetTimeDigitized"),
    ]
    for (name, fraction, offset) in exif {
      guard var time = values[name].flatMap(Self.time) else { continue }
      if let digits = values["EXIF:\(fraction)"] { time.local += Self.milliseconds(digits) }
      let stated = values["EXIF:\(offset)"] ?? values["EXIF:OffsetTime"]
      time.offset = time.offset ?? stated.flatMap(Self.zone)
      return time
    }
    let rest =
      values.keys.filter { $0.hasSuffix(":DateTimeOriginal") }.sorted()
      + ["XMP:CreateDate", "PNG:CreateDate"]
    return rest.lazy.compactMap { values[$0].flatMap(Self.time) }.first
  }

  /// The first value of this name in the order of the groups.
  private func first(of name: String) -> String? {
    for group in ["EXIF", "XMP", "QuickTime", "MakerNotes"] {
      let value = values["\(group):\(name)"]?.split(separator: " ").joined(separator: " ")
      if let value, !value.isEmpty { return value }
    }
    return nil
  }

  /// Reads `2024:05:01 10:00:00`, with a fraction and an offset where they are given; nil for
  /// zeros and other dates that do not exist.
  private static func time(_ text: String) -> PhotoFacts.ClockTime? {
    switch WrittenTime(text.utf8) {
    case .clock(let local): return PhotoFacts.ClockTime(local: local)
    case .moment(let time):
      // The moment alone does not say what the clock showed.
      guard let offset = offset(atEndOf: text) else { return nil }
      return PhotoFacts.ClockTime(local: time.millisecondsSince1970 + offset, offset: offset)
    default: return nil
    }
  }

  private static func offset(atEndOf text: String) -> Int64? {
    guard !text.hasSuffix("Z"), let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else {
      return text.hasSuffix("Z") ? 0 : nil
    }
    return zone(String(text[sign...]))
  }

  /// The milliseconds of a time zone's offset; nil for one that no time zone has, such as `+99:00`.
  private static func zone(_ text: String) -> Int64? {
    ClockOffset(text).flatMap { $0.isTimeZone ? $0.milliseconds : nil }
  }

  /// The milliseconds of the digits after the point of a second.
  private static func milliseconds(_ digits: String) -> Int64 {
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return Int64((digits + "000").prefix(3)) ?? 0
  }
}
