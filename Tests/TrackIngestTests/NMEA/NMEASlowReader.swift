import Foundation
import Geodesy

@testable import TrackIngest

/// Reads the logs of ``NMEALogGenerator`` in a simple way: all sentences first, then groups with
/// the same time.
enum NMEASlowReader {
  struct Report: Equatable {
    var coordinate: Coordinate?
    var isBad = false
    var isVoid = false
    var gst: Double?
    var hdop: Double?
    var elevation: Double?
    var speed: Double?
  }

  /// The reports by time of day, in the order in which the times first appear in sentences with
  /// valid checksums.
  static func read(_ bytes: [UInt8]) -> [(time: String, report: Report)] {
    var order: [String] = []
    var reports: [String: Report] = [:]
    for (fields, isGood) in sentences(in: bytes) {
      let kind = fields[0].suffix(3)
      guard ["GGA", "RMC", "GLL", "GST"].contains(kind) else { continue }
      let time = kind == "GLL" ? fields[5] : fields[1]
      if !isGood && kind == "GST" { continue }
      let coordinate = position(fields, kind: String(kind))
      if !isGood && coordinate == nil { continue }
      if isGood, !order.contains(time) { order.append(time) }
      var report = reports[time] ?? Report()
      if !isGood {
        report.isBad = true
      } else if kind == "GST" {
        report.gst = 5
      } else {
        if coordinate == nil { report.isVoid = true }
        report.coordinate = report.coordinate ?? coordinate
        if kind == "GGA" {
          report.hdop = Double(fields[8])
          report.elevation = Double(fields[9])
        }
        if kind == "RMC", coordinate != nil { report.speed = 1.5 * 1852 / 3600 }
      }
      reports[time] = report
    }
    return order.compactMap { time in reports[time].map { (time, $0) } }
  }

  /// All sequences from a `$` to a `*` and two hexadecimal digits, and whether the checksum is
  /// valid.
  private static func sentences(in bytes: [UInt8]) -> [([String], Bool)] {
    var found: [([String], Bool)] = []
    for part in bytes.split(separator: UInt8(ascii: "$")) {
      guard let star = part.firstIndex(of: UInt8(ascii: "*")), star + 2 < part.endIndex else {
        continue
      }
      let body = part[part.startIndex..<star]
      let digits = String(decoding: part[(star + 1)...(star + 2)], as: UTF8.self)
      guard body.count > 6, body.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { continue }
      let fields = String(decoding: body, as: UTF8.self)
        .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      found.append((fields, UInt8(digits, radix: 16) == body.reduce(0, ^)))
    }
    return found
  }

  private static func position(_ fields: [String], kind: String) -> Coordinate? {
    let first = kind == "GGA" ? 2 : kind == "RMC" ? 3 : 1
    switch kind {
    case "GGA": guard fields[6] == "1" else { return nil }
    case "RMC": guard fields[2] == "A" else { return nil }
    default: guard fields[6] == "A" else { return nil }
    }
    guard let latitude = units(fields[first], negative: fields[first + 1] == "S"),
      let longitude = units(fields[first + 2], negative: fields[first + 3] == "W")
    else { return nil }
    return Coordinate(latitudeE7: latitude, longitudeE7: longitude)
  }

  /// Units of 1e-7 degree from `dddmm.mmmm` in decimal arithmetic: degrees, and minutes over 60,
  /// rounded half up.
  static func units(_ text: String, negative: Bool) -> Int32? {
    guard let whole = text.split(separator: ".", omittingEmptySubsequences: false).first,
      whole.count > 2,
      let degrees = Decimal(string: String(whole.dropLast(2))),
      let minutes = Decimal(string: String(text.dropFirst(whole.count - 2))), minutes < 60
    else { return nil }
    // 10⁷/60 has no exact decimal value: use sixtieths instead.
    var sixtieths = (degrees * 60 + minutes) * 10_000_000 + 30
    sixtieths /= 60
    var units = Decimal()
    NSDecimalRound(&units, &sixtieths, 0, .down)
    let value = NSDecimalNumber(decimal: units).int32Value
    return negative ? -value : value
  }
}
