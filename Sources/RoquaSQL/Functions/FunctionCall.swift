import CSQLiteCalls
import Geodesy

/// One call of a function in SQL: its arguments, and the place for its result.
///
/// Sound: SQLite keeps the context and the values alive during the call, and nothing keeps them
/// longer. There are `count` values.
struct FunctionCall {
  /// A result.
  enum Result {
    case null
    case number(Double)
    case text(String)
  }

  /// SQLite's context of the call.
  let context: OpaquePointer
  /// The number of arguments.
  let count: Int
  private let values: UnsafeMutablePointer<OpaquePointer?>

  /// Answers a call: with NULL if an argument is NULL, with an error if `body` throws.
  static func answer(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ body: (FunctionCall) throws(FunctionFailure) -> Result
  ) {
    guard let context, let values else { return }
    for index in 0..<Int(count) where roqua_value_type(values[index]) == SQLITE_NULL {
      return roqua_result_null(context)
    }
    do throws(FunctionFailure) {
      switch try body(FunctionCall(context: context, count: Int(count), values: values)) {
      case .null: roqua_result_null(context)
      case .number(let number): roqua_result_double(context, number)
      case .text(var text):
        text.withUTF8 { bytes in
          // Sound: an empty text has a non-null address, and SQLite copies the bytes.
          guard let base = bytes.baseAddress else { return roqua_result_text(context, "", 0) }
          base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            roqua_result_text(context, $0, Int32(bytes.count))
          }
        }
      }
    } catch {
      roqua_result_error(context, error.message ?? "The database cannot be read.")
    }
  }

  /// The number in an argument. A text that is a number counts as one.
  ///
  /// - Parameter name: what the argument is, for the error.
  func number(at index: Int, _ name: String) throws(FunctionFailure) -> Double {
    let type = roqua_value_numeric_type(values[index])
    guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else {
      throw FunctionFailure("The \(name) must be a number.")
    }
    return roqua_value_double(values[index])
  }

  /// The position in two arguments: the latitude and, after it, the longitude in degrees.
  func coordinate(at index: Int) throws(FunctionFailure) -> Coordinate {
    let latitude = try number(at: index, "latitude")
    let longitude = try number(at: index + 1, "longitude")
    guard
      let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      throw FunctionFailure(
        longitude.isFinite
          ? "The latitude, which comes first, must be from -90 to 90 degrees."
          : "The longitude must be finite.")
    }
    return coordinate
  }

  /// The text in an argument.
  func text(at index: Int, _ name: String) throws(FunctionFailure) -> String {
    guard roqua_value_type(values[index]) == SQLITE_TEXT, let text = roqua_value_text(values[index])
    else { throw FunctionFailure("The \(name) must be a text.") }
    // Sound: the text is valid until the value is converted or the call ends; it is copied here.
    let bytes = UnsafeBufferPointer(start: text, count: Int(roqua_value_bytes(values[index])))
    return String(decoding: bytes, as: UTF8.self)
  }
}
