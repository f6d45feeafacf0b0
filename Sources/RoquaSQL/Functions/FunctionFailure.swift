/// The reason why a function in SQL has no result.
struct FunctionFailure: Error {
  /// SQLite's result code.
  let code: Int32
  /// One sentence, without the values of the arguments. Nil if SQLite's own message is kept.
  let message: String?

  /// A failure in a sentence.
  init(_ message: String, code: Int32 = 1) {
    self.code = code
    self.message = message
  }

  /// A failure of SQLite itself, such as an interruption.
  init(code: Int32) {
    self.code = code
    message = nil
  }
}
