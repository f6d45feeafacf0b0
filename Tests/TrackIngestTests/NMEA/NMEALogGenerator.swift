import TestSupport

/// Generates logs with all kinds of content: several sentences per epoch, epochs without a fix,
/// wrong checksums, prefixes, garbage, and both common line ends.
struct NMEALogGenerator {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns a log of up to `epochs` epochs, one second or more apart, within one day.
  mutating func log(epochs: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let end = ["\r\n", "\n"].randomElement(using: &random) ?? "\n"
    let date = "010524"
    var second = Int.random(in: 0..<86_000, using: &random)
    let talker = ["GP", "GN", "BD"].randomElement(using: &random) ?? "GP"
    for _ in 0..<epochs {
      second += chance(20) ? Int.random(in: 2...900, using: &random) : 1
      guard second < 86_400 else { break }  // the oracle supports only one day
      let time = padded(second / 3_600, 2) + padded(second / 60 % 60, 2) + padded(second % 60, 2)
      let fraction = chance(2) ? "." + padded(Int.random(in: 0...999, using: &random), 3) : ""
      let ordered = bodies(talker: talker, time: time + fraction, date: date)
      for body in ordered.shuffled(using: &random) {
        if chance(10) { bytes += noise() }
        if chance(5) { bytes += Array("\\s:r1,c:1714557600*00\\".utf8) }
        var text = sentence(body)
        if chance(12) {
          text = String(text.dropLast(2)) + "ZZ"
        } else if chance(12) {
          text = corrupted(text)
        }
        bytes += Array((text + (chance(15) ? ",1714557600000" : "") + end).utf8)
      }
    }
    return bytes
  }

  private mutating func bodies(talker: String, time: String, date: String) -> [String] {
    let isVoid = chance(6)
    let position =
      "\(angle(degrees: 89, width: 2)),\(either("N", "S")),\(angle(degrees: 179, width: 3)),"
      + "\(either("E", "W"))"
    var all: [String] = []
    if chance(2) {
      all.append("\(talker)GGA,\(time),\(position),\(isVoid ? "0" : "1"),08,\(hdop()),5.5,M,,M,,")
    }
    if chance(2) {
      all.append(
        "\(talker)RMC,\(time),\(isVoid ? "V" : "A"),\(position),1.5,2,\(date),,,"
          + "\(isVoid ? "N" : "A")"
      )
    }
    if chance(3) { all.append("\(talker)GLL,\(position),\(time),\(isVoid ? "V" : "A")") }
    if chance(4) { all.append("\(talker)GST,\(time),,,,,3.0,4.0,9.0") }
    if chance(3) { all.append("GPGSV,1,1,01,05,40,083,46") }
    return all
  }

  private mutating func angle(degrees: Int, width: Int) -> String {
    let digits = Int.random(in: 0...10, using: &random)
    let fraction = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    return padded(Int.random(in: 0..<degrees, using: &random), width)
      + padded(Int.random(in: 0...59, using: &random), 2)
      + (digits == 0 && chance(2) ? "" : "." + fraction)
  }

  private mutating func noise() -> [UInt8] {
    let count = Int.random(in: 1...40, using: &random)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }.filter {
      $0 != UInt8(ascii: "$")
    }
  }

  /// Returns the text with one changed digit, so that the checksum no longer matches.
  private mutating func corrupted(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let index = bytes.indices.dropFirst(10).dropLast(5).filter { bytes[$0] &- 0x30 < 10 }
      .randomElement(
        using: &random)
    if let index { bytes[index] ^= 1 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &random) == 0
  }
  private mutating func either(_ a: String, _ b: String) -> String { chance(2) ? a : b }
  private mutating func hdop() -> String {
    ["0.8", "1.25", "7", "", "0"].randomElement(using: &random) ?? ""
  }
}

/// Returns a number with leading zeros.
func padded(_ value: Int, _ width: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}
