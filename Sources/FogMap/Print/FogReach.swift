/// Makes thin trails on maps of the world as wide as a pen: how clear each pixel is shown, from the
/// explored shares around it. `docs/formats/pictures.md` gives the rule.
struct FogReach: Sendable {
  /// How far an explored pixel reaches, in pixels; 0 if only shares count.
  let pixels: Double
  /// The rows and columns around a pixel that it may reach.
  let margin: Int
  /// How much reaching counts: 1 far away, 0 near.
  private let strength: Double
  /// How clear each share is shown, 0...255.
  private let clearness: [UInt8]
  /// What a pixel adds to its neighbors: row and column from it, and how clear they are at least.
  private var kernel: [(row: Int, column: Int, clearness: UInt8)]

  /// The zoom from which on nothing is widened.
  static let lastZoom = 9.0

  /// - Parameters:
  ///   - pen: the width of a thin line in pixels.
  ///   - zoom: the zoom of the view.
  init(pen: Double, zoom: Double) {
    strength = max(0, min(1, (Self.lastZoom - zoom) / 5))
    pixels = 1.2 * pen * strength
    margin = Int((pixels + 0.5).rounded(.down))
    clearness = (0...255).map { byte in
      let clear = FogColors.clearness(UInt8(byte), zoom: zoom)
      return byte == 0 ? 0 : UInt8(max(1, min(255, (255 * clear).rounded())))
    }
    kernel = []
    var found: [(row: Int, column: Int, clearness: UInt8)] = []
    for row in -margin...margin {
      for column in -margin...margin where row != 0 || column != 0 {
        let distance = Double(row * row + column * column).squareRoot()
        let clear = UInt8((255 * least(atDistance: distance)).rounded())
        if clear > 0 { found.append((row, column, clear)) }
      }
    }
    self.kernel = found
  }

  /// How clear a pixel is at least at a distance from an explored one, 0...1.
  func least(atDistance distance: Double) -> Double {
    0.75 * strength * max(0, min(1, pixels + 0.5 - distance))
  }

  /// How clear the pixels of some rows are.
  ///
  /// - Parameters:
  ///   - shares: the explored shares of `height` rows, and of ``margin`` rows above and below.
  ///   - width: the columns.
  ///   - clear: receives the rows, without those margins; zeros before.
  func spread(
    _ shares: UnsafeBufferPointer<UInt8>, width: Int,
    to clear: UnsafeMutableBufferPointer<UInt8>
  ) {
    let height = clear.count / width
    precondition(shares.count == (height + 2 * margin) * width, "rows of another picture")
    for row in 0..<height + 2 * margin {
      for column in 0..<width {
        let share = shares[row &* width &+ column]
        if share == 0 { continue }
        let target = row - margin
        if 0..<height ~= target {
          let place = target * width + column
          clear[place] = max(clear[place], clearness[Int(share)])
        }
        for (down, right, least) in kernel {
          let (line, place) = (target + down, column + right)
          guard 0..<height ~= line, 0..<width ~= place else { continue }
          if clear[line * width + place] < least { clear[line * width + place] = least }
        }
      }
    }
  }
}
