import ByteStreams
import FogMap
import GeoStore
import SQLiteLayer

extension PictureMaker {
  /// Writes the picture of a snapshot.
  func write(of snapshot: Snapshot, to file: DatabaseOutput) throws(DatabaseError)
    -> PictureReport
  {
    let content = try content(of: snapshot)
    var bytes = 0
    func write(_ piece: [UInt8]) -> Bool {
      bytes += piece.count
      return file.write(piece)
    }
    let (width, height) = (content.scene.width, content.scene.height)
    guard let layout = PNGFormat(width: width, height: height, pixels: .rgb) else {
      throw .cannotWrite(path: path, reason: "its size is out of range")
    }
    let press: PicturePress
    do {
      press = try PicturePress(layout)
    } catch {
      throw .cannotWrite(path: path, reason: "there is not enough memory")
    }
    var writer = PNGStripWriter()
    if write(writer.head(layout, texts: [])) {
      press.print(content.scene) { write(writer.append($0)) }
      _ = write(writer.endFrame() + writer.end())
    }
    return PictureReport(
      path: path, format: format, width: width, height: height, frames: 1, bytes: bytes,
      cells: content.cells, notes: [])
  }
}
