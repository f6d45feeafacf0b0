import ByteStreams

/// Finds NMEA 0183 sentences in the first bytes of a file.
enum NMEASniffer {
  /// Sentences of receivers; one of them is enough even without a checksum.
  private static let knownNames = [
    "GGA", "RMC", "GLL", "GNS", "GSA", "GSV", "VTG", "ZDA", "GST", "GBS", "HDT", "TXT", "RME",
    "VDM", "VDO",
  ].map { Array($0.utf8) }

  /// Whether the text has a sentence with a matching checksum, or a known one without checksum.
  static func findsSentence(in text: [UInt8]) -> Bool { sentence(in: text) != nil }

  /// The index of the `$` or `!` of such a sentence.
  static func sentence(in text: [UInt8]) -> Int? {
    text.withUnsafeBufferPointer { bytes -> Int? in
      for mark: UInt8 in [0x24, 0x21] {
        let start = bytes.indices.first { bytes[$0] == mark && isSentence(bytes, from: $0 + 1) }
        if let start { return start }
      }
      return nil
    }
  }

  /// Whether a sentence begins after its `$` or `!`. A sentence ends with its line or 120 bytes
  /// later.
  ///
  /// Sound: every index is compared with the count first; the bytes are those of the caller's
  /// array.
  private static func isSentence(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var end = start
    while end < bytes.count, end - start < 12, isUpperOrDigit(bytes[end]) { end += 1 }
    guard (4...11).contains(end - start), end < bytes.count, bytes[end] == 0x2C else {
      return false
    }
    let isKnown = knownNames.contains { bytes[start..<end].suffix(3).elementsEqual($0) }
    var sum: UInt8 = 0
    for index in start..<min(bytes.count, start + 120) {
      let byte = bytes[index]
      if byte == 0x2A {
        guard index + 2 < bytes.count else { return isKnown }
        guard let high = Hexadecimal.value(ofDigit: bytes[index + 1]),
          let low = Hexadecimal.value(ofDigit: bytes[index + 2])
        else { return isKnown }
        return high << 4 | low == sum || isKnown
      }
      guard byte >= 0x20, byte < 0x7F else { return isKnown }
      sum ^= byte
    }
    return isKnown
  }

  private static func isUpperOrDigit(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
  }
}
