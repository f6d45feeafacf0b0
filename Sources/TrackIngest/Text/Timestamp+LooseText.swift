import Geodesy

extension Timestamp {
  /// Reads a time in any of the forms that real programs write, as the track readers do: ISO 8601 with or without a zone (UTC
  /// where there is none), a space for the `T`, offsets, a date alone. Nil for what is no time.
  public init?(looseText text: String) {
    var text = text
    let reading = text.withUTF8 { TimeText.read($0) }
    switch reading {
    case .moment(let milliseconds), .day(let milliseconds): self.init(millisecondsSince1970: milliseconds)
    case .none: return nil
    }
  }
}
