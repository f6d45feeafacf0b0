import Geodesy

extension Timestamp {
  /// The time in any of the forms that ``TimeText`` reads: ISO 8601 with or without a zone (then
  /// UTC), a space for the `T`, offsets, a date alone. Nil if the text is not a time.
  package init?(looseText text: String) {
    var text = text
    let reading = text.withUTF8 { TimeText.read($0) }
    switch reading {
    case .moment(let milliseconds), .day(let milliseconds):
      self.init(millisecondsSince1970: milliseconds)
    case .none: return nil
    }
  }
}
