import AgeFile
import ByteStreams
import Foundation

/// Where a passphrase comes from: a file, a terminal that does not show it, or standard input. It
/// is never an argument, which other users of the computer can see.
enum PassphraseInput {
  /// The most bytes of a passphrase.
  private static let mostBytes = 4096

  /// Reads a passphrase.
  ///
  /// - Parameters:
  ///   - file: a file whose only line it is; nil to ask for it.
  ///   - isNew: whether to ask twice on a terminal.
  /// - Throws: `Console.Failure`.
  static func read(file: String?, isNew: Bool) throws -> AgePassphrase {
    let bytes: [UInt8]
    if let file = file.map(NegativeNumbers.original) {
      bytes = try onlyLine(of: file)
    } else if isatty(STDIN_FILENO) == 1 {
      bytes = try ask("Passphrase: ")
      if isNew, try ask("The same passphrase again: ") != bytes {
        throw Console.Failure("the passphrases differ; nothing was changed")
      }
    } else {
      bytes = Array((readLine(strippingNewline: true) ?? "").utf8)
    }
    guard !bytes.isEmpty else { throw Console.Failure("the passphrase is empty") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Console.Failure("the passphrase is not UTF-8")
    }
    return AgePassphrase(text)
  }

  private static func onlyLine(of file: String) throws -> [UInt8] {
    try ExistingFile.check(file)
    var bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FilePath(file).contents()
    } catch {
      throw Console.Failure("\(file): \(error.reason)")
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard bytes.count <= mostBytes, !bytes.contains(UInt8(ascii: "\n")) else {
      throw Console.Failure("\(file): a passphrase is one line of at most \(mostBytes) bytes")
    }
    return bytes
  }

  /// Asks for a password on the terminal; nil if standard input is no terminal.
  ///
  /// - Throws: `Console.Failure` if there is no answer.
  static func password(_ question: String) throws -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    return String(
      decoding: try ask(question, for: "password", otherwise: "set PGPASSWORD"), as: UTF8.self)
  }

  /// Asks on the terminal, which shows nothing of the answer.
  ///
  /// Keys that would send signals are read here, so that the terminal is restored before.
  private static func ask(
    _ question: String, for secret: String = "passphrase",
    otherwise advice: String = "use --passphrase-file"
  ) throws -> [UInt8] {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else {
      throw Console.Failure("the terminal cannot hide the \(secret); \(advice)")
    }
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    withUnsafeMutableBytes(of: &hidden.c_cc) { keys in
      keys[Int(VMIN)] = 1
      keys[Int(VTIME)] = 0
    }
    guard tcsetattr(STDIN_FILENO, TCSANOW, &hidden) == 0 else {
      throw Console.Failure("the terminal cannot hide the \(secret); \(advice)")
    }
    Console.prompt(question)
    var (bytes, ending): ([UInt8], UInt8?) = ([], nil)
    while ending == nil {
      var byte: UInt8 = 0
      let count = Foundation.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { break }
      switch byte {
      case 0x0a, 0x0d, 0x03, 0x04, 0x1c: ending = byte
      case 0x08, 0x7f:
        // A character of UTF-8 is one byte and those that continue it.
        while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
      case 0x15: bytes = []
      default: if bytes.count < mostBytes { bytes.append(byte) }
      }
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
    Console.printError("")
    switch ending {
    case 0x0a, 0x0d: return bytes
    case 0x03: SignalCleanup.end(bySignal: SIGINT)
    case 0x1c: SignalCleanup.end(bySignal: SIGQUIT)
    default: throw Console.Failure("no \(secret) was given; nothing was changed")
    }
  }
}
