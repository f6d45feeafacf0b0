import ByteStreams
import FogMap
import GeoStore
import SQLiteLayer

extension PictureMaker {
  /// The layout of rows, and what draws them.
  func press(_ scene: PictureScene, _ pixels: PNGFormat.Pixels) throws(DatabaseError)
    -> (format: PNGFormat, press: PicturePress)
  {
    guard let format = PNGFormat(width: scene.width, height: scene.height, pixels: pixels) else {
      throw .cannotWrite(path: path, reason: "its size is out of range")
    }
    do {
      return (format, try PicturePress(format, for: path))
    } catch {
      throw .cannotWrite(path: path, reason: "there is not enough memory")
    }
  }

  /// The texts in a PNG: W3C PNG, 11.3.3.1.
  static func texts(_ title: String) -> [(keyword: String, text: String)] {
    [("Title", title), ("Copyright", MapWording.credits), ("Software", "Roqua")]
  }

  /// Writes a PNG.
  func writePNG(_ content: Content, to output: PictureOutput) throws(DatabaseError) {
    let (format, press) = try press(content.scene, .rgb)
    var writer = PNGStripWriter()
    guard output.write(writer.head(format, texts: Self.texts(content.title))) else { return }
    try press.print(content.scene) { output.write(writer.append($0)) }
    _ = output.write(writer.endFrame() + writer.end())
  }

  /// Writes a WebP.
  func writeWebP(_ content: Content, to output: PictureOutput) throws(DatabaseError) {
    let press = try press(content.scene, .rgb).press
    var file = WebPFile(
      width: content.scene.width, height: content.scene.height, isFilm: false)
    try append(try press.pixels(content.scene), to: &file)
    _ = output.write(
      file.bytes(description: Self.xmp(title: content.title, credits: MapWording.credits)))
  }

  /// Writes an SVG.
  ///
  /// - Throws: `DatabaseError.interrupted(path:)` if the work is canceled.
  func writeSVG(_ content: Content, to output: PictureOutput) throws(DatabaseError) {
    let cancellation = Cancellation.current
    PictureSVG(content.scene).write(
      title: content.title, credits: MapWording.credits, to: { output.write(Array($0.utf8)) },
      unless: { cancellation?.isCancelled == true })
    try Cancellation.checkCurrent(for: path)
  }
}
