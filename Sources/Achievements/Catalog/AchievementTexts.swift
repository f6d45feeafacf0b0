/// The texts of one language: lines such as `countries.title: Globetrotter`.
struct AchievementTexts: Hashable, Sendable {
  private var texts: [String: String] = [:]

  /// Creates an empty list.
  init() {}

  /// Reads a file.
  ///
  /// - Throws: ``CatalogError`` for a line without a colon, an empty text, and a key that comes
  ///   twice.
  init(_ text: String, file: String) throws(CatalogError) {
    let lines = DataLines(text, file: file)
    for (number, line) in lines.lines {
      guard let colon = line.firstIndex(of: ":") else {
        throw lines.error(number, "the line has no colon after its key")
      }
      let key = String(line[..<colon])
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      guard !key.isEmpty, !value.isEmpty else { throw lines.error(number, "the text is missing") }
      guard texts.updateValue(String(value), forKey: key) == nil else {
        throw lines.error(number, "\"\(key)\" comes twice")
      }
    }
  }

  /// The keys that have a text.
  var keys: Dictionary<String, String>.Keys { texts.keys }

  subscript(key: String) -> String? {
    get { texts[key] }
    set { texts[key] = newValue }
  }
}
