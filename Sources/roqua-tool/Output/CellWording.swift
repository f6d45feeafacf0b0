import Roqua

/// The results of files that have explored pixels and no fixes, in words.
enum CellWording {
  /// `3,757 pixels explore 428 cells`, and how many privacy zones keep out.
  static func result(_ files: [FileReport]) -> String {
    result(
      pixels: files.reduce(0) { $0 + $1.track.pixels }, cells: files.reduce(0) { $0 + $1.cells },
      withheld: files.reduce(0) { $0 + $1.withheldCells })
  }

  /// The same for numbers.
  static func result(pixels: Int, cells: Int, withheld: Int) -> String {
    let verb = pixels == 1 ? "explores" : "explore"
    return "\(Wording.count(pixels, "pixel")) \(verb) \(Wording.count(cells, "cell"))"
      + (withheld > 0 ? ", \(Wording.count(withheld)) left out in privacy zones" : "")
  }
}
