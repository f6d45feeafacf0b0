/// How many entries of a list an option asks for.
enum EntryCount {
  /// Reads a number of at least 1.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func number(_ argument: String) throws(ArgumentFlaw) -> Int {
    guard let number = Int(argument), number >= 1 else {
      throw ArgumentFlaw("must be a whole number of at least 1.")
    }
    return number
  }
}
