import ByteStreams
import FogMap
import GeoStore
import GridHash
import SQLiteLayer

extension PictureMaker {
  /// How long frames are shown.
  private func milliseconds(_ frame: Int, of count: Int) -> Int {
    if frame == count - 1 { return 3_000 }
    return options.film == .month ? 150 : 700
  }

  /// Calls `body` with the scene of each frame, each of which shows what was explored until its
  /// end.
  private func forEachFrame(
    of film: PictureFilm, _ content: Content,
    _ body: (PictureScene, Int) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var scene = content.scene
    var coverage = Coverage(grid: content.coverage.grid)
    let meter = WorkMeter.current
    meter?.begin(.drawing, of: film.frames.count)
    for (number, frame) in film.frames.enumerated() {
      for (key, tile) in frame.added { coverage.insert(tile, at: key) }
      scene.setCells(coverage)
      scene.addDate(frame.label)
      try body(scene, number)
      scene.removeOverlay()
      meter?.add(1)
    }
  }

  /// Writes an animated WebP.
  func writeWebP(
    _ film: PictureFilm, _ content: Content, to output: PictureOutput
  ) throws(DatabaseError) {
    let press = try press(content.scene, .rgb).press
    var file = WebPFile(width: content.scene.width, height: content.scene.height, isFilm: true)
    try forEachFrame(of: film, content) { (scene, number) throws(DatabaseError) in
      try append(
        try press.pixels(scene), to: &file,
        milliseconds: milliseconds(number, of: film.frames.count))
    }
    _ = output.write(
      file.bytes(description: Self.xmp(title: content.title, credits: MapWording.credits)))
  }

  /// Writes an animated PNG: after the first frame only rows with a change, in which pixels that
  /// stay as they are are clear.
  func writePNG(
    _ film: PictureFilm, _ content: Content, to output: PictureOutput
  ) throws(DatabaseError) {
    let (format, press) = try press(content.scene, .rgba)
    let width = content.scene.width
    guard let encoder = try? PNGStripEncoder(format) else {
      throw .cannotWrite(path: path, reason: "there is not enough memory")
    }
    let animation = PNGStripWriter.Animation(frames: film.frames.count)
    var writer = PNGStripWriter(animation: animation)
    var isGood = output.write(writer.head(format, texts: Self.texts(content.title)))
    var before: [UInt8] = []
    try forEachFrame(of: film, content) { (scene, number) throws(DatabaseError) in
      guard isGood else { return }
      let pixels = try press.pixels(scene)
      let change = PictureChange(from: before, to: pixels, width: width)
      before = pixels
      // A frame without a change has one row.
      let rows = change.rows.isEmpty ? 0..<1 : change.rows
      isGood = output.write(
        writer.begin(
          PNGStripWriter.Frame(
            x: 0, y: rows.lowerBound, width: width, height: rows.count,
            milliseconds: milliseconds(number, of: film.frames.count))))
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: 64) where isGood {
        let strip = change.rgba(first..<min(first + 64, rows.upperBound))
          .withUnsafeBytes { encoder.encode($0) }
        isGood = output.write(writer.append(strip))
      }
      if isGood { isGood = output.write(writer.endFrame()) }
    }
    if isGood { _ = output.write(writer.end()) }
  }
}

/// The pixels that differ between two frames of a film.
struct PictureChange {
  /// The frame before, and this one: three bytes a pixel. Nothing was before the first frame.
  private let before: [UInt8]
  private let pixels: [UInt8]
  private let width: Int
  /// The rows from the first to the last one with a change.
  let rows: Range<Int>

  init(from before: [UInt8], to pixels: [UInt8], width: Int) {
    (self.before, self.pixels, self.width) = (before, pixels, width)
    let height = pixels.count / (3 * width)
    guard before.count == pixels.count else {
      rows = 0..<height
      return
    }
    func differs(_ row: Int) -> Bool {
      let bytes = row * 3 * width..<(row + 1) * 3 * width
      return before[bytes] != pixels[bytes]
    }
    guard let first = (0..<height).first(where: differs),
      let last = (0..<height).last(where: differs)
    else {
      rows = 0..<0
      return
    }
    rows = first..<last + 1
  }

  /// Some rows, four bytes a pixel: pixels that stay as they are are clear.
  func rgba(_ rows: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4 * width * rows.count)
    let isFirst = before.count != pixels.count
    var target = 0
    for source in stride(
      from: 3 * width * rows.lowerBound, to: 3 * width * rows.upperBound, by: 3)
    {
      let (red, green, blue) = (pixels[source], pixels[source + 1], pixels[source + 2])
      if isFirst
        || (red, green, blue) != (before[source], before[source + 1], before[source + 2])
      {
        bytes[target] = red
        bytes[target + 1] = green
        bytes[target + 2] = blue
        bytes[target + 3] = 255
      }
      target += 4
    }
    return bytes
  }
}
