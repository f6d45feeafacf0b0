import Roqua

/// The results of files that have explored pixels and no fixes, in words.
enum CellWording {
  /// `3,757 pixels explore 428 cells`, and how many privacy zones keep out.
  static func result(_ file: FileReport) -> String {
    result(pixels: file.track.pixels, cells: file.cells, withheld: file.withheldCells)
  }

  /// The same for several files: `3,757 pixels explore 428 new cells`. Tiles share the cells at
  /// their edges, so the sum of their cells is only a limit, which is what a dry run knows.
  static func result(_ files: [FileReport], isDryRun: Bool) -> String {
    let pixels = files.reduce(0) { $0 + $1.track.pixels }
    let cells = files.reduce(0) { $0 + (isDryRun ? $1.cells : $1.changes.cellsAdded) }
    let number =
      isDryRun
      ? (files.count > 1 ? "at most " : "") + Wording.count(cells, "cell")
      : Wording.count(cells, "new cell")
    return result(
      pixels: pixels, number: number, withheld: files.reduce(0) { $0 + $1.withheldCells })
  }

  /// The same for numbers.
  static func result(pixels: Int, cells: Int, withheld: Int) -> String {
    result(pixels: pixels, number: Wording.count(cells, "cell"), withheld: withheld)
  }

  private static func result(pixels: Int, number: String, withheld: Int) -> String {
    let verb = pixels == 1 ? "explores" : "explore"
    return "\(Wording.count(pixels, "pixel")) \(verb) \(number)"
      + (withheld > 0 ? ", \(Wording.count(withheld)) left out in privacy zones" : "")
  }
}
