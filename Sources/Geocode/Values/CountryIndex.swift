/// A country as a small number that is the same in all editions of the data: the two letters of its
/// ISO 3166-1 code read in base 26, so that "AA" is 0 and "ZZ" is 675.
///
/// Kosovo is "XK", a code that ISO reserves for private use.
///
/// ```swift
/// if let country = geocoder.countryIndex(at: here) {
///   print(country.flag, geocoder.name(of: country) ?? country.code)
/// }
/// ```
public struct CountryIndex: Hashable, Comparable, Sendable {
  /// A number in 0...675, suitable as an index into an array of `count` elements.
  public let rawValue: UInt16

  /// One more than the largest ``rawValue``.
  package static let count = 26 * 26

  /// Creates the country of a number; nil beyond 675.
  package init?(rawValue: UInt16) {
    guard rawValue < Self.count else { return nil }
    self.rawValue = rawValue
  }

  /// Creates the country of a code such as "TR" or "tr"; nil if the code is not two letters A to Z.
  /// The code need not be in use.
  public init?(code: String) {
    let letters = code.utf8.map { $0 & 0xDF }
    guard letters.count == 2, letters.allSatisfy({ (65...90).contains($0) }) else { return nil }
    rawValue = UInt16(letters[0] - 65) * 26 + UInt16(letters[1] - 65)
  }

  @inline(__always)
  init(unchecked rawValue: UInt16) { self.rawValue = rawValue }

  /// The ISO 3166-1 alpha-2 code in capital letters.
  public var code: String {
    // Sound: two letters fill the two bytes.
    String(unsafeUninitializedCapacity: 2) { letters in
      letters[0] = UInt8(rawValue / 26) + 65
      letters[1] = UInt8(rawValue % 26) + 65
      return 2
    }
  }

  /// The flag: two regional indicator symbols, which most terminals and all phones display as a
  /// flag.
  public var flag: String {
    var scalars = String.UnicodeScalarView()
    for letter in [rawValue / 26, rawValue % 26] {
      if let scalar = Unicode.Scalar(0x1F1E6 + UInt32(letter)) { scalars.append(scalar) }
    }
    return String(scalars)
  }

  /// Orders by code.
  public static func < (left: CountryIndex, right: CountryIndex) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension CountryIndex: CustomStringConvertible {
  /// The code.
  public var description: String { code }
}
