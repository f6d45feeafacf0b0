import CZlib

/// Deflates bytes that are in memory as a whole.
package enum Deflate {
  /// Deflates bytes without a header or checksum, at zlib's best compression. Nil if memory runs
  /// out.
  ///
  /// - Complexity: O(bytes); some 20 ms a megabyte.
  /// - Source: RFC 1951, as implemented by zlib.
  package static func raw(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard roqua_deflate_init(&stream, Z_BEST_COMPRESSION, -15) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    // Sound: zlib's bound is enough for one call that finishes, and it only reads through
    // `next_in`, which predates `const`. Neither pointer is used after the closures.
    var deflated = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let code = bytes.withUnsafeBytes { input in
      deflated.withUnsafeMutableBytes { output in
        stream.next_in = UnsafeMutablePointer(
          mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END else { return nil }
    deflated.removeLast(Int(stream.avail_out))
    return deflated
  }
}
