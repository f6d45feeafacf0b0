/// Draws bands of a scene as rows of RGB. Not `Sendable`; each thread has its own.
///
/// - Memory: 8 bytes, and another 8, for each pixel of a band.
package final class BandRenderer {
  /// The scene.
  package let scene: PictureScene
  private let sum: AreaSum
  /// A byte for each pixel of a band, layer after layer: those of ``PixelMixer``, and an overlay.
  private var bytes: [UInt8]
  /// Whether a row of a layer has a byte other than 0.
  private var isUsed: [Bool]
  private var colors: [UInt8] = []
  private let mixer: PixelMixer
  /// The explored shares of a band and of the rows around it that reach into it.
  private let fogSum: AreaSum
  private var shares: [UInt8]

  private static let graticule = PixelMixer.layerCount - 3
  private static let outline = PixelMixer.layerCount - 2
  private static let fog = PixelMixer.layerCount - 1
  private static let overlay = PixelMixer.layerCount

  /// Creates a renderer.
  package init(_ scene: PictureScene) {
    self.scene = scene
    let rows = PictureScene.bandHeight
    sum = AreaSum(width: scene.width, height: rows)
    bytes = [UInt8](repeating: 0, count: (Self.overlay + 1) * scene.width * rows)
    isUsed = [Bool](repeating: false, count: (Self.overlay + 1) * rows)
    let fogRows = rows + 2 * scene.style.reach.margin
    fogSum = AreaSum(width: scene.width, height: fogRows)
    shares = [UInt8](repeating: 0, count: scene.width * fogRows)
    mixer = PixelMixer(scene.style, hasOutline: scene.outline != nil)
  }

  /// The explored share of each pixel of a band, as bytes (``ShareSum/byte(_:)``); the rows of a
  /// last band that is not whole go on below the picture.
  package func shares(band: Int) -> [UInt8] {
    findShares(band)
    let margin = scene.style.reach.margin * scene.width
    return Array(shares[margin..<shares.count - margin])
  }

  /// How clear the fog of each pixel of a band is, 0...255.
  package func clearness(band: Int) -> [UInt8] {
    spreadFog(band)
    return Array(bytes[layer(Self.fog)])
  }

  /// The rows of a band: three bytes a pixel. The last band may have fewer rows than others.
  package func rows(band: Int) -> [UInt8] {
    let top = band * PictureScene.bandHeight
    let count = min(PictureScene.bandHeight, scene.height - top)
    for (place, edges) in scene.base.enumerated() {
      fill(place) { edges.draw(band: band, to: sum) }
    }
    fill(Self.outline) { scene.outline?.draw(band: band, to: sum) }
    fill(Self.graticule) { scene.graticule.draw(band: band, to: sum) }
    spreadFog(band)
    colors = [UInt8](repeating: 0, count: 3 * scene.width * count)
    for row in 0..<count { compose(row, at: top + row) }
    for overlay in scene.overlays where !overlay.edges.isEmpty(band: band) {
      fill(Self.overlay) { overlay.edges.draw(band: band, to: sum) }
      for row in 0..<count where isUsed[Self.overlay * PictureScene.bandHeight + row] {
        lay(overlay, row, at: top + row)
      }
    }
    return colors
  }

  // MARK: - Fog

  private func findShares(_ band: Int) {
    shares.withUnsafeMutableBufferPointer { shares in
      for row in 0..<fogSum.height where !fogSum.isEmpty(row: row) {
        shares[row * scene.width..<(row + 1) * scene.width].update(repeating: 0)
      }
      fogSum.removeAll()
      scene.cells?.add(band: band, margin: scene.style.reach.margin, to: fogSum)
      for row in 0..<fogSum.height where !fogSum.isEmpty(row: row) {
        _ = fogSum.write(
          row: row,
          to: UnsafeMutableBufferPointer(
            rebasing: shares[row * scene.width..<(row + 1) * scene.width]))
      }
    }
  }

  /// Fills the layer of fog.
  private func spreadFog(_ band: Int) {
    findShares(band)
    let columns = layer(Self.fog)
    let isEmpty = (0..<fogSum.height).allSatisfy { fogSum.isEmpty(row: $0) }
    bytes.withUnsafeMutableBufferPointer { bytes in
      let clear = UnsafeMutableBufferPointer(rebasing: bytes[columns])
      clear.update(repeating: 0)
      if isEmpty { return }
      shares.withUnsafeBufferPointer {
        scene.style.reach.spread($0, width: scene.width, to: clear)
      }
    }
  }

  // MARK: - Layers

  private func layer(_ place: Int) -> Range<Int> {
    let size = scene.width * PictureScene.bandHeight
    return place * size..<(place + 1) * size
  }

  /// Fills a layer with the shares of what `draw` adds to the sum.
  private func fill(_ place: Int, _ draw: () -> Void) {
    sum.removeAll()
    draw()
    let first = layer(place).lowerBound
    bytes.withUnsafeMutableBufferPointer { bytes in
      for row in 0..<PictureScene.bandHeight {
        let start = first + row * scene.width
        let columns = UnsafeMutableBufferPointer(
          rebasing: bytes[start..<start + scene.width])
        let mark = place * PictureScene.bandHeight + row
        if isUsed[mark] { columns.update(repeating: 0) }
        isUsed[mark] = !sum.isEmpty(row: row)
        if isUsed[mark] { _ = sum.write(row: row, to: columns) }
      }
    }
  }

  // MARK: - Colors

  /// The columns of the map in a row; none above and below it.
  private func columns(at line: Int) -> Range<Int> {
    let frame = scene.view.frame
    guard frame.y..<frame.y + frame.height ~= line else { return 0..<0 }
    let left = max(0, min(scene.width, frame.x))
    return left..<max(left, min(scene.width, frame.x + frame.width))
  }

  /// Mixes the layers of a row of pixels.
  private func compose(_ row: Int, at line: Int) {
    let background = Pixel(scene.style.color(.background))
    let size = scene.width * PictureScene.bandHeight
    let start = row * scene.width
    let map = columns(at: line)
    bytes.withUnsafeBufferPointer { bytes in
      colors.withUnsafeMutableBufferPointer { colors in
        var last: UInt64 = .max
        var color = background
        for column in 0..<scene.width {
          if map.contains(column) {
            // All pixels with the same bytes have the same color.
            var key: UInt64 = 0
            for layer in 0..<PixelMixer.layerCount {
              key |= UInt64(bytes[layer &* size &+ start &+ column]) << UInt64(8 &* layer)
            }
            if key != last {
              color = mixer.color(key)
              last = key
            }
          } else {
            (color, last) = (background, .max)
          }
          colors.put(color, at: start + column)
        }
      }
    }
  }

  /// Lays an overlay over a row of pixels.
  private func lay(_ overlay: PictureScene.Overlay, _ row: Int, at line: Int) {
    let color = Pixel(overlay.color)
    let alpha = Int(overlay.color.alpha)
    let columns = overlay.isOnMap ? columns(at: line) : 0..<scene.width
    let first = layer(Self.overlay).lowerBound + row * scene.width
    bytes.withUnsafeBufferPointer { bytes in
      colors.withUnsafeMutableBufferPointer { colors in
        for column in columns where bytes[first + column] != 0 {
          var pixel = colors.pixel(at: row * scene.width + column)
          pixel.lay(color, weight: (Int(bytes[first + column]) * alpha + 127) / 255)
          colors.put(pixel, at: row * scene.width + column)
        }
      }
    }
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes three bytes.
  @inline(__always)
  fileprivate func put(_ color: Pixel, at pixel: Int) {
    self[3 * pixel] = UInt8(truncatingIfNeeded: color.red)
    self[3 * pixel + 1] = UInt8(truncatingIfNeeded: color.green)
    self[3 * pixel + 2] = UInt8(truncatingIfNeeded: color.blue)
  }

  /// Reads three bytes.
  @inline(__always)
  fileprivate func pixel(at pixel: Int) -> Pixel {
    Pixel(
      MapColor(
        red: self[3 * pixel], green: self[3 * pixel + 1], blue: self[3 * pixel + 2]))
  }
}
