/// Why a text is not a position.
///
/// ```swift
/// do {
///   print(try Coordinate(text: "128.97 41.01"))
/// } catch CoordinateTextError.swapped(let proposal, _) {
///   print("Did you mean \(proposal)?")  // 41.01, 128.97
/// }
/// ```
public enum CoordinateTextError: Error, Equatable, Sendable {
  /// It is not a latitude and a longitude in any form that is known.
  case unreadable(String)
  /// It can be read in more than one way: `48,2 16 E` may be 48.2, 16 or 48, 2°16'.
  case ambiguous(String)
  /// The first number is no latitude, and the two are a position the other way round, which is
  /// proposed.
  case swapped(proposal: String, text: String)
  /// The latitude is beyond ±90 degrees.
  case latitudeOutOfRange(degrees: Double)
  /// The longitude is beyond ±180 degrees.
  case longitudeOutOfRange(degrees: Double)
  /// Minutes or seconds are not below 60.
  case sixtiethsOutOfRange(Double)
  /// A `geo:` URI in another reference system than WGS 84.
  case referenceSystem(String)
}

extension CoordinateTextError: CustomStringConvertible {
  /// One sentence for a person, with what was read.
  public var description: String {
    switch self {
    case .unreadable(let text):
      text.isEmpty
        ? "Give a latitude and a longitude, such as 48.8584 2.2945."
        : "\"\(Self.shortened(text))\" is not a latitude and a longitude, such as 48.8584 2.2945."
    case .ambiguous(let text):
      "\"\(Self.shortened(text))\" can be read in more than one way; give a latitude and a "
        + "longitude such as 48.8584 2.2945."
    case .swapped(let proposal, let text):
      "The latitude comes first and is between -90 and 90: did you mean \(proposal) "
        + "instead of \(Self.shortened(text))?"
    case .latitudeOutOfRange(let degrees):
      "The latitude must be between -90 and 90 (it comes before the longitude); it is "
        + "\(Self.text(degrees))."
    case .longitudeOutOfRange(let degrees):
      "The longitude must be between -180 and 180; it is \(Self.text(degrees))."
    case .sixtiethsOutOfRange(let value):
      "Minutes and seconds must be below 60, not \(Self.text(value))."
    case .referenceSystem(let name):
      "The position must be in WGS 84, not in \(Self.shortened(name))."
    }
  }

  /// Without a point where the number is whole.
  static func text(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Enough of a text to know it again.
  private static func shortened(_ text: String) -> String {
    text.count > 60 ? text.prefix(59) + "…" : text
  }
}
