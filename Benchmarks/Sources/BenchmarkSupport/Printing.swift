#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Prints a line immediately, even into a pipe.
package func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Ends the program with a message on standard error.
package func fail(_ message: String, exitStatus: Int32 = 1) -> Never {
  fflush(nil)
  let bytes = Array((message + "\n").utf8)
  // Sound: `write` reads at most `count` bytes of the array, which outlives the call.
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(exitStatus)
}

/// Ends the program if a result is wrong, because a wrong result is not worth timing.
package func check(_ isRight: Bool, _ what: String) {
  if !isRight { fail("wrong result: \(what)") }
}

/// `value` with the given number of decimals, right-aligned in `width` characters.
package func text(_ value: Double, _ digits: Int = 1, width: Int = 0) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return padded("\(value)", width) }
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let units = UInt64((abs(value) * scale).rounded())
  var number = String(units)
  if digits > 0 {
    number = String(repeating: "0", count: max(0, digits + 1 - number.count)) + number
    number.insert(".", at: number.index(number.endIndex, offsetBy: -digits))
  }
  return padded((value < 0 && units > 0 ? "-" : "") + number, width)
}

private func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}
