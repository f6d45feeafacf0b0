import ArgumentParser
import Foundation
import GeoStore
import Geocode
import Roqua

/// What the tool writes, and where to.
enum Console {
  /// A line on standard output.
  static func print(_ line: String) { write(Data((line + "\n").utf8)) }

  /// A JSON document on a line of its own on standard output.
  static func print(_ value: JSONValue) { print(value.description) }

  /// Bytes on standard output.
  static func write(_ bytes: [UInt8]) { write(Data(bytes)) }

  /// A line on standard error. Where even that fails there is nobody left to tell.
  static func printError(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }

  /// What a verb cannot do, in a sentence.
  struct Failure: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  /// Runs a verb: a store's error becomes one line on standard error and exit status 1.
  static func reportingErrors(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as StoreError {
      printError("roqua: " + Console.safe(error.description + ErrorAdvice.text(error)))
      throw ExitCode.failure
    } catch let error as ExplorerError {
      printError("roqua: " + Console.safe(error.description + ErrorAdvice.text(error)))
      throw ExitCode.failure
    } catch let error as Failure {
      printError("roqua: " + Console.safe(error.message))
      throw ExitCode.failure
    } catch let error as GeocodeError {
      printError("roqua: " + Console.safe(ExplorerError.places(error).description))
      throw ExitCode.failure
    }
  }

  /// Writes to standard output. An answer that cannot be written is a failure: one line says so, and the tool ends.
  /// A reader that went away (`| head`) ends it by SIGPIPE before, as is usual.
  private static func write(_ bytes: Data) {
    do {
      try FileHandle.standardOutput.write(contentsOf: bytes)
    } catch {
      printError("roqua: the answer cannot be written: \(String(cString: strerror(errno)))")
      exit(1)
    }
  }

  /// A text from outside, with control characters made visible: a terminal must not obey a file's name.
  static func safe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      || scalar.properties.generalCategory == .lineSeparator
      || scalar.properties.generalCategory == .paragraphSeparator
  }
}
