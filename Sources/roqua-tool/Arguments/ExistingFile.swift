import Foundation

/// A file that a command needs. All commands report a missing one in the same words.
enum ExistingFile {
  /// Checks that there is something at a path; `-` is standard input.
  ///
  /// - Parameter advice: what may have been meant, as a sentence.
  /// - Throws: `Console.Failure` if there is nothing.
  static func check(_ path: String, advice: String? = nil) throws(Console.Failure) {
    guard path != "-", access(path, F_OK) != 0, errno == ENOENT else { return }
    throw Console.Failure(message(path) + (advice.map { " " + $0 } ?? ""))
  }

  /// The error for a path where nothing is.
  static func message(_ path: String) -> String { "\(path): There is no such file or folder." }
}
