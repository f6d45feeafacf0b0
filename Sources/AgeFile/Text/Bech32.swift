/// Bech32, the text of keys: a prefix, "1", five bits per character, and a checksum that notices
/// any four wrong characters in a key of this length.
///
/// - Source: BIP 173, without its limit of 90 characters, as age uses it.
enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let checksumLength = 6

  /// The value of each byte in lower case; 255 for one that is not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Encodes bytes.
  ///
  /// - Parameter prefix: in lower case; so is the result.
  static func encode(_ bytes: [UInt8], prefix: String) -> String {
    let values = regroup(bytes, from: 8, to: 5)
    let characters = (values + checksum(prefix: Array(prefix.utf8), values)).map {
      alphabet[Int($0)]
    }
    return prefix + "1" + String(decoding: characters, as: UTF8.self)
  }

  /// Decodes the text of a key.
  ///
  /// - Parameter prefix: the one that the text must have, in lower case. The text may be in upper
  ///   or lower case, but not in both.
  static func decode(_ text: String, prefix: String) throws(AgeError) -> [UInt8] {
    let original = Array(text.utf8)
    let lower = original.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    let start = Array(prefix.utf8) + [UInt8(ascii: "1")]
    // The last "1" separates, so a longer prefix that contains one is another kind of key.
    guard lower.starts(with: start), lower.lastIndex(of: UInt8(ascii: "1")) == start.count - 1
    else { throw .keyDamaged(.prefix(expected: String(decoding: start, as: UTF8.self))) }
    var data: [UInt8] = []
    for (index, character) in lower.enumerated().dropFirst(start.count) {
      let value = values[Int(character)]
      guard value < 32 else { throw .keyDamaged(.character(position: index + 1)) }
      data.append(value)
    }
    let hasUpper = original.contains { (0x41...0x5a).contains($0) }
    let hasLower = original.contains { (0x61...0x7a).contains($0) }
    guard !(hasUpper && hasLower) else { throw .keyDamaged(.mixedCase) }
    guard data.count >= checksumLength else { throw .keyDamaged(.length) }
    guard residue(expanded(Array(prefix.utf8)) + data) == 1 else { throw .keyDamaged(.checksum) }
    data.removeLast(checksumLength)
    // Fewer than five bits may be left over, and they must be zero.
    let leftover = data.count * 5 % 8
    guard leftover < 5, data.last.map({ $0 & (1 << leftover - 1) == 0 }) ?? true else {
      throw .keyDamaged(.length)
    }
    return Array(regroup(data, from: 5, to: 8).prefix(data.count * 5 / 8))
  }

  /// Groups bits into values of another size; the last group is filled with zeros.
  private static func regroup(_ groups: [UInt8], from: Int, to: Int) -> [UInt8] {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for group in groups {
      bits = bits << UInt32(from) | UInt32(group)
      count += from
      while count >= to {
        count -= to
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count) & (1 << UInt32(to) - 1)))
      }
    }
    if count > 0 {
      result.append(UInt8(truncatingIfNeeded: bits << UInt32(to - count) & (1 << UInt32(to) - 1)))
    }
    return result
  }

  private static func expanded(_ prefix: [UInt8]) -> [UInt8] {
    prefix.map { $0 >> 5 } + [0] + prefix.map { $0 & 31 }
  }

  private static func checksum(prefix: [UInt8], _ values: [UInt8]) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: checksumLength)
    let residue = residue(expanded(prefix) + values + zeros) ^ 1
    return (0..<checksumLength).map { UInt8(residue >> UInt32(5 * (5 - $0)) & 31) }
  }

  /// The remainder of the polynomial over GF(32) divided by the generator of Bech32.
  private static func residue(_ values: [UInt8]) -> UInt32 {
    let generator: [UInt32] = [
      0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
    ]
    return values.reduce(UInt32(1)) { remainder, value in
      let top = remainder >> 25
      let shifted = (remainder & 0x1ff_ffff) << 5 ^ UInt32(value)
      return (0..<5).reduce(shifted) { top >> UInt32($1) & 1 == 1 ? $0 ^ generator[$1] : $0 }
    }
  }
}
