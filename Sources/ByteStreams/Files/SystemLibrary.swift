import Foundation

/// Libraries of the system that the program opens when it needs them, rather than being linked with
/// them: it starts faster, and runs where they are missing.
package enum SystemLibrary {
  /// Why a library cannot be used.
  package enum Failure: Error, Hashable, Sendable {
    /// No file of these names was found.
    case missing
    /// The program is linked statically and cannot open libraries.
    case staticProgram
    /// A file was found, but it cannot be used.
    case unusable(file: String, reason: String)
  }

  /// Opens the first of some files that can be opened. It is never closed.
  ///
  /// - Parameter names: the names of the file, the newest first.
  /// - Returns: the library, and the name under which it was found.
  /// - Throws: ``Failure``.
  package static func open(
    _ names: [String]
  ) throws(Failure) -> (handle: UnsafeMutableRawPointer, name: String) {
    guard !isStaticProgram else { throw .staticProgram }
    var failure = Failure.missing
    for name in names {
      if let handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL) { return (handle, name) }
      // A library that is found, but needs another one that is missing, is a reason of its own.
      // Sound: the text is copied before the next call of this thread.
      let reason = dlerror().map { String(cString: $0) } ?? ""
      if failure == .missing, !reason.hasPrefix(name + ":") {
        failure = .unusable(file: name, reason: reason)
      }
    }
    throw failure
  }

  /// Whether the program was started without a loader, as a static one is. Its C library could open
  /// only libraries of exactly its own version, and crash with others.
  private static var isStaticProgram: Bool {
    #if os(Linux)
      // Pairs of numbers from the kernel: getauxval(3), AT_BASE is the loader's address.
      guard let bytes = FileManager.default.contents(atPath: "/proc/self/auxv") else {
        return false
      }
      // Sound: each offset has eight bytes before the end, and the numbers are copied in the call.
      let words = bytes.withUnsafeBytes { buffer in
        stride(from: 0, to: buffer.count - 7, by: 8).map {
          buffer.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
        }
      }
      for pair in stride(from: 0, to: words.count - 1, by: 2) where words[pair] == 7 {
        return words[pair + 1] == 0
      }
      return false
    #else
      return false
    #endif
  }
}
