/// A name that somebody typed, compared with names of the data regardless of case, accents and
/// punctuation.
///
/// `ä` matches `a` and `ae`, on either side: `München`, `Munchen` and `Muenchen` are one name.
///
/// ```swift
/// let query = NameQuery("ISTANBUL")
/// print(query.matches("İstanbul"))  // true
/// ```
package struct NameQuery: Sendable {
  /// As it was typed.
  package let text: String
  /// Its folded spellings: one, or two where a letter can be spelled out.
  let spellings: [[UInt8]]

  /// A query for this name.
  package init(_ text: String) {
    self.text = text
    let plain = NameFolding.fold(text)
    let spelledOut = NameFolding.fold(text, spellingOut: true)
    spellings = plain == spelledOut ? [plain] : [plain, spelledOut]
  }

  /// Whether it has no letter or digit: such a query matches nothing.
  package var isEmpty: Bool { spellings[0].isEmpty }

  /// The text as a code may be written: ` U.S. ` is `US`.
  package var code: String { text.filter { $0 != "." && !$0.isWhitespace } }

  /// Other ways to write an English name of a country: without dots (`U.S.A.` is `USA`), and
  /// without the article before it.
  var withoutDotsAndArticle: [NameQuery] {
    var variants: [NameQuery] = []
    let bare = text.filter { $0 != "." }
    if bare != text { variants.append(NameQuery(bare)) }
    let folded = NameFolding.fold(bare)
    let article = Array("the ".utf8)
    if folded.starts(with: article) {
      variants.append(NameQuery(String(decoding: folded.dropFirst(article.count), as: UTF8.self)))
    }
    return variants
  }

  /// Whether a name has its words in a row, or is the same.
  func isPart(of name: String) -> Bool {
    let edge = [NameFolding.space]
    let words = edge + NameFolding.fold(name) + edge
    return !isEmpty
      && spellings.contains { spelling in
        let wanted = edge + spelling + edge
        return words.indices.contains { words[$0...].starts(with: wanted) }
      }
  }

  /// Whether a name is the same but for case, accents and punctuation.
  package func matches(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { matches(UnsafeRawBufferPointer($0)[...]) }
  }

  /// Whether a name in UTF-8 is the same but for case, accents and punctuation.
  ///
  /// - Complexity: O(bytes up to the first difference) where those are ASCII. No allocation then.
  func matches(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    !isEmpty && spellings.contains { Self.matches($0, name) }
  }

  private static func matches(_ query: [UInt8], _ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    var at = 0
    var separates = false
    for byte in name {
      guard byte < 0x80 else {
        let text = String(decoding: name, as: UTF8.self)
        return NameFolding.fold(text) == query
          || NameFolding.fold(text, spellingOut: true) == query
      }
      let folded = NameFolding.fold(ascii: byte)
      if folded == 0 { continue }
      if folded == NameFolding.space {
        separates = at > 0
        continue
      }
      if separates {
        guard at < query.count, query[at] == NameFolding.space else { return false }
        at += 1
        separates = false
      }
      guard at < query.count, query[at] == folded else { return false }
      at += 1
    }
    return at == query.count
  }
}
