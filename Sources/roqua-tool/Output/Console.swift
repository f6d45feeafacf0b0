import ArgumentParser
import ByteStreams
import Foundation
import GeoStore
import Geocode
import Roqua

/// What the tool writes, and where to. Nothing that comes from a file, a database or an argument is
/// obeyed by a terminal: whatever is printed passes ``safe(_:)``, or a writer of JSON that escapes
/// the same characters.
enum Console {
  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Checks that bytes that are no text do not go to a terminal, which would obey some of them.
  ///
  /// - Throws: `ValidationError` if standard output is a terminal.
  static func checkTakesBinary(_ format: String) throws {
    guard isTerminal else { return }
    throw ValidationError(
      "\(format) is a binary format and is not written to a terminal; name a file, or redirect "
        + "standard output.")
  }

  /// A line on standard output. A line break in it is shown, and begins no other line.
  static func print(_ line: String) { write(Data((safe(line) + "\n").utf8)) }

  /// A JSON document on a line of its own on standard output.
  static func print(_ document: JSONValue) { write(Data((document.description + "\n").utf8)) }

  /// Lines, each with its end, on standard output. What they contain passed ``safe(_:)`` or a
  /// writer of JSON.
  static func printLines(_ lines: String) { write(Data(lines.utf8)) }

  /// The same for lines as bytes, such as ``PlaceLines/bytes``.
  static func printLines(_ lines: [UInt8]) { write(Data(lines)) }

  /// A line on standard error.
  static func printError(_ line: String) { writeError(safe(line) + "\n") }

  /// A question on standard error, on a line that the answer ends.
  static func prompt(_ text: String) { writeError(safe(text)) }

  /// Shows a text on the present line of a terminal that standard error is: goes back to the line's
  /// start, and clears it to its end (ECMA-48 CR and EL).
  static func overwriteLine(with text: String) { writeError("\r\u{1B}[K" + safe(text)) }

  /// Writes to standard error. Where even that fails, nothing can be reported.
  private static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// What a verb cannot do, in a sentence.
  struct Failure: Error {
    let message: String
    /// Whether it is wrong usage: nothing has the name that was given, or one is missing.
    let isWrongUsage: Bool

    init(_ message: String, isWrongUsage: Bool = false) {
      (self.message, self.isWrongUsage) = (message, isWrongUsage)
    }
  }

  /// Runs a verb: a store's error becomes one line on standard error and exit status 1, or 64 for
  /// wrong usage, such as a name or number that nothing has.
  static func reportingErrors(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as Failure {
      printError("roqua: " + error.message)
      throw error.isWrongUsage ? ExitCode.validationFailure : ExitCode.failure
    } catch let error as PlaceNameError {
      // A name that nothing has is wrong usage, found out only now.
      printError("Error: " + error.text(advisingOption: true))
      throw ExitCode.validationFailure
    } catch {
      guard let line = ErrorAdvice.line(error) else { throw error }
      printError("roqua: " + line)
      throw ErrorAdvice.isWrongUsage(error) ? ExitCode.validationFailure : ExitCode.failure
    }
  }

  /// Writes to standard output. An answer that cannot be written is a failure: one line says so,
  /// and the tool ends. A reader that went away (`| head`) ends it by SIGPIPE before, as is usual.
  private static func write(_ bytes: Data) {
    do {
      try FileHandle.standardOutput.write(contentsOf: bytes)
    } catch {
      let reason = FileFailure(path: "-", code: errno).reason
      printError("roqua: standard output cannot be written: \(reason)")
      exit(1)
    }
  }

  /// A text in which the characters are visible that a terminal would obey: `\u{1b}` stands for
  /// ESC. A text that passed before stays as it is.
  static func safe(_ text: String) -> String { text.safeForTerminals }
}
