import Foundation

/// Reads the members of a JSON object.
enum JSONObjectText {
  /// The integers in the member `name` of an object, which is an object too, by their names. Empty
  /// if there is no such member.
  static func integers(in name: String, of text: String) -> [String: Int] {
    guard
      let whole = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      let object = whole[name] as? [String: Any]
    else { return [:] }
    return object.compactMapValues { $0 as? Int }
  }

  /// The members that are strings, integers or null, by name. Integers are given as decimal text,
  /// null as an inner nil. Returns nil if the text is not a JSON object.
  static func members(_ text: String) -> [String: String?]? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    else {
      return nil
    }
    return object.compactMapValues { value -> String?? in
      switch value {
      case is NSNull: .some(nil)
      case let text as String: text
      case let number as NSNumber: number.stringValue
      default: nil
      }
    }
  }
}
