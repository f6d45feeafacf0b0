import SQLiteLayer

/// The reason why a person's SQL gives no answer.
package enum SQLFailure: Error {
  /// SQLite rejects the statement, or it failed.
  case rejected(message: String)
  /// The statement would do more than read.
  case refused(action: String)
  /// The statement has a parameter without a value.
  case missingParameter(String)
  /// No statement has a parameter of this name.
  case unusedParameter(String)
  /// There is no statement in the text.
  case noStatement
  /// A name is unknown, and SpatiaLite, which might know it, cannot be loaded.
  case withoutSpatiaLite(message: String, reason: SpatiaLiteFailure)
  /// The database cannot be read, or the work was canceled.
  case database(DatabaseError)
}

extension SQLFailure: CustomStringConvertible {
  /// One sentence: what is wrong, and what to do.
  package var description: String {
    switch self {
    case .rejected(let message): "SQL: \(message)"
    case .refused(let action): "SQL can only read the store: \(action) is not allowed."
    case .missingParameter(let name):
      "The parameter \(name) has no value."
    case .unusedParameter(let name): "No statement has a parameter :\(name)."
    case .noStatement: "There is no SQL statement."
    case .withoutSpatiaLite(let message, let reason):
      "SQL: \(message); if this is a name of SpatiaLite: \(reason)"
    case .database(let error): "\(error)"
    }
  }
}
