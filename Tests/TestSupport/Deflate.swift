import CZlib

/// Compresses bytes with zlib, for tests of decompression.
public enum Deflate {
  /// Returns a complete gzip member.
  public static func gzip(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
    pack(pieces: [bytes], level: level, windowBits: 31)
  }

  /// Returns a complete gzip member of `count` copies of a piece, without holding them all in
  /// memory.
  public static func gzip(repeating piece: [UInt8], count: Int) -> [UInt8] {
    pack(pieces: repeatElement(piece, count: count), level: 9, windowBits: 31)
  }

  /// Returns deflated bytes without header and trailer, as in a zip archive.
  public static func raw(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
    pack(pieces: [bytes], level: level, windowBits: -15)
  }

  /// Returns a zlib stream, with header and checksum.
  public static func zlib(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
    pack(pieces: [bytes], level: level, windowBits: 15)
  }

  /// Returns the CRC-32 that gzip and zip use.
  public static func crc32(_ bytes: [UInt8]) -> UInt32 {
    UInt32(CZlib.crc32(0, bytes, UInt32(bytes.count)))
  }

  private static func pack(pieces: some Sequence<[UInt8]>, level: Int32, windowBits: Int32)
    -> [UInt8]
  {
    // Sound: zlib requires that the stream keeps its address. It is freed when all is packed, after
    // `deflateEnd`.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    precondition(roqua_deflate_init(stream, level, windowBits) == Z_OK)
    defer { deflateEnd(stream) }
    var packed: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    func push(_ piece: [UInt8], _ flush: Int32) {
      var input = piece
      input.withUnsafeMutableBufferPointer { bytes in
        stream.pointee.next_in = bytes.baseAddress
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
          room.withUnsafeMutableBufferPointer { output in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(output.count)
            deflate(stream, flush)
            packed.append(contentsOf: output.dropLast(Int(stream.pointee.avail_out)))
          }
        } while stream.pointee.avail_out == 0
      }
    }
    for piece in pieces { push(piece, Z_NO_FLUSH) }
    push([], Z_FINISH)
    return packed
  }
}
