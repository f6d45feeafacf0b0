/// The names most like one that nothing matches: those that have all its words (`Frankfurt` and
/// `Frankfurt (Oder)`), and those a slip or two away (`Instanbul` and `Istanbul`).
///
/// ```swift
/// var guesses = NameGuesses(for: "imprt")
/// for command in ["import", "near"] { guesses.consider(command) }
/// print(guesses.best)  // ["import"]
/// ```
package struct NameGuesses {
  /// Names that are kept.
  package static let capacity = 3

  private struct Guess {
    let score: Int
    let rank: Int
    let text: String
  }

  private let word: [UInt8]
  private let limit: Int
  private var guesses: [Guess] = []

  /// No guess yet for what somebody typed.
  package init(for text: String) {
    word = NameFolding.fold(text)
    limit = EditDistance.limit(forLetters: word.count)
  }

  /// The most similar names, the best first.
  package var best: [String] { guesses.map(\.text) }

  /// Considers a name.
  ///
  /// - Parameters:
  ///   - rank: of two that are equally like the word, the one of the higher rank comes first.
  ///   - shown: what is suggested for it; the name itself where none is given.
  package mutating func consider(_ name: String, rank: Int = 0, shown: (() -> String)? = nil) {
    guard !word.isEmpty, let score = score(NameFolding.fold(name)) else { return }
    if guesses.count == Self.capacity, let last = guesses.last,
      (score, -rank) >= (last.score, -last.rank)
    {
      return
    }
    let text = shown?() ?? name
    if let known = guesses.firstIndex(where: { $0.text == text }) {
      guard (score, -rank) < (guesses[known].score, -guesses[known].rank) else { return }
      guesses.remove(at: known)
    }
    let place = guesses.firstIndex { (score, -rank) < ($0.score, -$0.rank) } ?? guesses.endIndex
    guesses.insert(Guess(score: score, rank: rank, text: text), at: place)
    if guesses.count > Self.capacity { guesses.removeLast() }
  }

  /// How unlike a folded name is: nil where it is no guess.
  private func score(_ name: [UInt8]) -> Int? {
    if let distance = EditDistance.between(word, name, atMost: limit), distance < word.count {
      return distance
    }
    guard name.count > word.count + 1, word.count >= 3 else { return nil }
    if name.starts(with: word), name[word.count] == NameFolding.space { return 1 }
    let inside = [NameFolding.space] + word
    let isInside = name.indices.contains { start in
      name[start...].starts(with: inside)
        && (start + inside.count == name.count || name[start + inside.count] == NameFolding.space)
    }
    return isInside ? 2 : nil
  }
}
