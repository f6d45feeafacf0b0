import ByteStreams

/// Joins strips to a PNG, or to an animated one: returns the bytes of the file piece by piece.
///
/// - Source: W3C PNG (Third Edition), 11.2.3 (IDAT), 11.3.3.2 (tEXt), 11.3.6 (acTL, fcTL, fdAT).
package struct PNGStripWriter {
  /// How an animation goes.
  package struct Animation: Hashable, Sendable {
    /// The number of frames.
    package var frames: Int
    /// How often it is played; 0 is without end.
    package var plays = 0

    /// Creates an animation.
    package init(frames: Int) { self.frames = frames }
  }

  /// The part of the picture that a frame replaces, and its time.
  package struct Frame: Hashable, Sendable {
    /// The left column.
    package var x: Int
    /// The upper row.
    package var y: Int
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// How long the frame is shown.
    package var milliseconds: Int

    /// Creates a frame.
    package init(x: Int, y: Int, width: Int, height: Int, milliseconds: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      self.milliseconds = milliseconds
    }
  }

  private let animation: Animation?
  private var checksum = Adler32.empty
  private var isFirstStrip = true
  private var frames = 0
  /// The number of the next chunk of the animation.
  private var sequence = 0

  /// Creates a writer.
  package init(animation: Animation? = nil) { self.animation = animation }

  /// The beginning of the file.
  ///
  /// - Parameter texts: keywords of 1...79 Latin letters with their texts, which become iTXt
  ///   chunks.
  package func head(_ format: PNGFormat, texts: [(keyword: String, text: String)]) -> [UInt8] {
    var head = format.head
    for (keyword, text) in texts {
      // Not compressed, without language and translated keyword.
      PNGChunk.append(
        "iTXt", Array(keyword.utf8.prefix(79)) + [0, 0, 0, 0, 0] + Array(text.utf8), to: &head)
    }
    if let animation {
      PNGChunk.append(
        "acTL", PNGChunk.number(animation.frames) + PNGChunk.number(animation.plays), to: &head)
    }
    return head
  }

  /// Begins a frame of an animation; the first one covers the whole picture.
  package mutating func begin(_ frame: Frame) -> [UInt8] {
    var bytes: [UInt8] = []
    let milliseconds = max(0, min(0xFFFF, frame.milliseconds))
    let delay = [UInt8(milliseconds >> 8), UInt8(milliseconds & 255), 0x03, 0xE8]
    // Nothing is disposed of; pixels are laid over those of the frame before.
    PNGChunk.append(
      "fcTL",
      number() + PNGChunk.number(frame.width) + PNGChunk.number(frame.height)
        + PNGChunk.number(frame.x) + PNGChunk.number(frame.y) + delay
        + [0, frames == 0 ? 0 : 1],
      to: &bytes)
    frames += 1
    (checksum, isFirstStrip) = (Adler32.empty, true)
    return bytes
  }

  /// The chunk of a strip.
  package mutating func append(_ strip: PNGStrip) -> [UInt8] {
    checksum = Adler32.joined(checksum, strip.checksum, count: strip.count)
    // Deflate with a window of 32 KiB, default level (RFC 1950, 2.2).
    let head: [UInt8] = isFirstStrip ? [0x78, 0x9C] : []
    isFirstStrip = false
    return chunk(head + strip.bytes)
  }

  /// Ends the picture or frame.
  package mutating func endFrame() -> [UInt8] {
    chunk(RawDeflate.end + PNGChunk.number(Int(checksum)))
  }

  /// The end of the file.
  package func end() -> [UInt8] {
    var bytes: [UInt8] = []
    PNGChunk.append("IEND", [], to: &bytes)
    return bytes
  }

  private mutating func number() -> [UInt8] {
    sequence += 1
    return PNGChunk.number(sequence - 1)
  }

  private mutating func chunk(_ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 16)
    if frames > 1 {
      PNGChunk.append("fdAT", number() + data, to: &bytes)
    } else {
      PNGChunk.append("IDAT", data, to: &bytes)
    }
    return bytes
  }
}
