#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(iconv)
  import iconv
#endif

/// Converts a rare encoding to UTF-8 with the C library's `iconv`, in pieces of any size.
///
/// Has one owner; not `Sendable`. On a platform without `iconv` no encoding is known.
final class CharacterConverter {
  /// The longest incomplete character in bytes: ISO-2022 escapes with a character are under 16.
  private static let longestCharacter = 16
  /// The bytes of an incomplete character.
  private var pending: [UInt8] = []
  /// True if any byte was invalid so far.
  private(set) var sawInvalid = false

  #if canImport(Glibc) || canImport(Musl) || canImport(iconv)
    private let descriptor: iconv_t

    /// A converter from the encoding of this name, or nil if the library does not know it.
    init?(from name: String) {
      // `iconv` takes suffixes such as `//IGNORE`; a name from a file must not reach them.
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }) else {
        return nil
      }
      guard let opened = iconv_open("UTF-8", name), Int(bitPattern: opened) != -1 else {
        return nil
      }
      descriptor = opened
    }

    deinit { iconv_close(descriptor) }

    /// Converts `input` and appends UTF-8 to `output`. An invalid byte becomes U+FFFD.
    func convert(_ input: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
      for byte in input {
        pending.append(byte)
        convertPending(into: &output)
      }
    }

    /// Ends the text: an incomplete character becomes U+FFFD.
    func finish(into output: inout [UInt8]) {
      guard !pending.isEmpty else { return }
      pending.removeAll()
      replace(into: &output)
    }

    private func convertPending(into output: inout [UInt8]) {
      // `iconv` stays within both buffers, whose lengths it gets; neither pointer outlives the
      // closures.
      var buffer = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
      let (result, left, written) = pending.withUnsafeMutableBytes { source in
        withUnsafeMutableBytes(of: &buffer) { target in
          var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
          var fromLeft = source.count
          var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
          var toLeft = target.count
          let result = iconv(descriptor, &from, &fromLeft, &to, &toLeft)
          return (result, fromLeft, target.count - toLeft)
        }
      }
      withUnsafeBytes(of: &buffer) { output.append(contentsOf: $0.prefix(written)) }
      pending.removeFirst(pending.count - left)
      guard result == -1 else { return }
      // EINVAL: incomplete, unless it is too long to become a character.
      if errno == EINVAL && pending.count < Self.longestCharacter { return }
      if !pending.isEmpty { pending.removeFirst() }
      replace(into: &output)
    }

    private func replace(into output: inout [UInt8]) {
      sawInvalid = true
      output.append(contentsOf: [0xEF, 0xBF, 0xBD])
    }
  #else
    /// No encoding is known on this platform.
    init?(from name: String) { return nil }
    /// Never called: there is no converter.
    func convert(_ input: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {}
    /// Never called: there is no converter.
    func finish(into output: inout [UInt8]) {}
  #endif
}
