import ByteStreams

/// Colors the tiles of a ``FogRaster``: fog where nothing is explored, nothing where all is, and in
/// between as much fog as there is unexplored area. Not `Sendable`; each thread has its own.
///
/// A tile is a PNG whose palette has the opacities that occur in it, so it takes 1 to 8 bits a
/// pixel before compression. The same shares give the same bytes.
package final class FogTileEncoder {
  /// The color of the fog, with its opacity.
  package let fog: PixelColor
  /// The pixels along each side of a tile.
  package let side: Int
  /// The tile without anything explored.
  package private(set) var fogged: [UInt8] = []
  /// The tile with everything explored.
  package private(set) var clear: [UInt8] = []

  /// The opacity of each share: the clearest for 255.
  private let alphas: [UInt8]
  /// For each number of bits of an index: a deflater, made when it is needed.
  private var deflaters: [Int: RunDeflater] = [:]
  /// A row's bytes, and those of the row before.
  private var row: [UInt8] = []
  private var above: [UInt8] = []

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - side: the pixels along each side of a tile, clamped to 16...4096.
  ///   - levels: the number of opacities from clear to `fog`, clamped to 3...256. Only pixels
  ///     without anything explored get the last one, and only fully explored ones the first.
  package init(fog: PixelColor, side: Int = 256, levels: Int = 256) {
    self.fog = fog
    self.side = max(16, min(4_096, side))
    let steps = max(3, min(256, levels)) - 1
    alphas = (0...255).map { share in
      let level = (steps * share + 127) / 255
      let kept = share == 0 || share == 255 ? level : max(1, min(steps - 1, level))
      return UInt8((Int(fog.alpha) * (steps - kept) + steps / 2) / steps)
    }
    let pixels = self.side * self.side
    fogged = encode([UInt8](repeating: 0, count: pixels))
    clear = encode([UInt8](repeating: 255, count: pixels))
  }

  /// The tile that a raster has rendered.
  ///
  /// - Parameter content: what ``FogRaster/render(_:)`` returned.
  /// - Precondition: the raster has as many pixels.
  package func png(_ raster: FogRaster, _ content: FogRaster.Content) -> [UInt8] {
    switch content {
    case .fogged: fogged
    case .explored: clear
    case .mixed: encode(raster.shares)
    }
  }

  /// The tile of shares, row by row.
  ///
  /// - Precondition: there are `side` × `side` shares.
  package func encode(_ shares: [UInt8]) -> [UInt8] {
    precondition(shares.count == side * side, "the shares of another tile")
    return shares.withUnsafeBytes { shares in
      let repeats = (0..<side).map { $0 > 0 && isRepeated(shares, $0) }
      let (colors, indexes) = palette(shares, repeats)
      guard
        let format = PNGFormat(width: side, height: side, pixels: .palette(colors))
      else { preconditionFailure("a tile has 1 to 256 opacities") }
      let rowBytes = format.rowBytes + 1
      var deflater = deflaters.removeValue(forKey: rowBytes) ?? RunDeflater(rowBytes: rowBytes)
      row = [UInt8](repeating: 0, count: rowBytes)
      above = row
      for number in 0..<side {
        if repeats[number] {
          deflater.appendRepeated()
          continue
        }
        swap(&row, &above)
        pack(pixels(shares, number), indexes, bits: format.bitsPerPixel)
        row.withUnsafeBytes { row in
          above.withUnsafeBytes { deflater.append(row, above: number > 0 ? $0 : nil) }
        }
      }
      var png = format.head
      PNGChunk.append("IDAT", deflater.finish(), to: &png)
      PNGChunk.append("IEND", [], to: &png)
      deflaters[rowBytes] = deflater
      return png
    }
  }

  private func pixels(_ shares: UnsafeRawBufferPointer, _ row: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: shares[row * side..<(row + 1) * side])
  }

  private func isRepeated(_ shares: UnsafeRawBufferPointer, _ row: Int) -> Bool {
    pixels(shares, row).isEqual(to: pixels(shares, row - 1))
  }

  /// The colors that occur, the clearest first, and the index of each share's color.
  private func palette(
    _ shares: UnsafeRawBufferPointer, _ repeats: [Bool]
  ) -> (colors: [PixelColor], indexes: [UInt8]) {
    var isUsed = [Bool](repeating: false, count: 256)
    isUsed.withUnsafeMutableBufferPointer { isUsed in
      for number in 0..<side where !repeats[number] {
        pixels(shares, number).forEachRunStart { isUsed[Int($0)] = true }
      }
    }
    var colors: [PixelColor] = []
    var indexes = [UInt8](repeating: 0, count: 256)
    for share in stride(from: 255, through: 0, by: -1) where isUsed[share] {
      if colors.last?.alpha != alphas[share] {
        var color = fog
        color.alpha = alphas[share]
        colors.append(color)
      }
      indexes[share] = UInt8(colors.count - 1)
    }
    return (colors, indexes)
  }

  /// Writes the indexes of a row of shares after the filter's number, which is 0.
  private func pack(_ shares: UnsafeRawBufferPointer, _ indexes: [UInt8], bits: Int) {
    row.withUnsafeMutableBufferPointer { row in
      indexes.withUnsafeBufferPointer { indexes in
        if bits == 8 {
          for column in 0..<side { row[column &+ 1] = indexes[Int(shares[column])] }
          return
        }
        var (column, shift) = (0, 8)
        var value: UInt8 = 0
        for byte in 1..<row.count {
          repeat {
            shift -= bits
            if column < side { value |= indexes[Int(shares[column])] << UInt8(shift) }
            column += 1
          } while shift > 0
          row[byte] = value
          (value, shift) = (0, 8)
        }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns true if another buffer has the same bytes; both have the same number of them.
  ///
  /// Sound: eight bytes are read only if eight are left.
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index + 8 <= count {
      let word = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word != other.loadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
      index += 8
    }
    while index < count {
      if self[index] != other[index] { return false }
      index += 1
    }
    return true
  }

  /// Calls `body` with every value among the bytes, though not with every byte: long runs are
  /// skipped.
  ///
  /// Sound: eight bytes are read only if eight are left.
  @inline(__always)
  fileprivate func forEachRunStart(_ body: (UInt8) -> Void) {
    var index = 0
    var last: UInt64?
    while index + 8 <= count {
      let word = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word != last { for place in index..<index + 8 { body(self[place]) } }
      last = word
      index += 8
    }
    while index < count {
      body(self[index])
      index += 1
    }
  }
}
