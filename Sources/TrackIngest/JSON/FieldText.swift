import Geodesy

/// One field of a message that a device sends: reads numbers, coordinates and times as the decoders
/// of files do, so that a message and a file with the same digits give the same fix.
package struct FieldText: Hashable, Sendable {
  /// The field in UTF-8, without quotation marks and escapes.
  package let bytes: [UInt8]
  /// True if the field is text, such as a string of JSON; false for a number.
  package let isText: Bool

  /// Creates a field.
  package init(_ bytes: [UInt8], isText: Bool) {
    self.bytes = bytes
    self.isText = isText
  }

  /// The latitude in units of 1e-7 degree; nil if it is not a number or beyond ±90 degrees.
  package var latitudeE7: Int32? { degreesE7(limit: 900_000_000) }

  /// The longitude in units of 1e-7 degree; nil if it is not a number or beyond ±180 degrees.
  package var longitudeE7: Int32? { degreesE7(limit: 1_800_000_000) }

  private func degreesE7(limit: Int64) -> Int32? {
    bytes.withUnsafeBufferPointer { text in
      switch DecimalText.degreesE7(text, limitE7: limit) {
      case .value(let value), .commaValue(let value): value
      case .notANumber, .outOfRange: nil
      }
    }
  }

  /// The number; nil if the field is not one, or not finite.
  package var number: Double? { value.flatMap { $0.isFinite ? $0 : nil } }

  /// The number, which may be infinite, as an accuracy may; nil if the field is not one.
  package var value: Double? { bytes.withUnsafeBufferPointer { DecimalText.double($0) } }

  /// The time: ISO 8601, or seconds or milliseconds since 1970. Nil if the field is not a time, if
  /// the time is before 1970, or after `latest`, which is impossible.
  package func time(latest: Timestamp) -> Timestamp? {
    let milliseconds = bytes.withUnsafeBufferPointer {
      JSONClock.milliseconds(JSONPrimitive(text: $0, isString: isText))
    }
    guard let milliseconds, milliseconds >= 0, milliseconds <= latest.millisecondsSince1970 else {
      return nil
    }
    return Timestamp(millisecondsSince1970: milliseconds)
  }
}
