import FogMap
import Foundation
import GeoStore
import Geodesy
import GridHash
import SQLiteLayer
import TestSupport
import Testing

@testable import Roqua

/// Work that draws and runs no statement of a store for long also ends when it is canceled.
@Suite struct CanceledDrawingTests {
  private let folder: TemporaryFolder
  private let coverage: Coverage

  init() throws {
    folder = try TemporaryFolder()
    var coverage = Coverage()
    for step in 0..<20 { coverage.mark(discAround: Coordinate(48, 11 + 0.01 * Double(step))) }
    self.coverage = coverage
  }

  /// Runs `body` as canceled work.
  private func canceled(_ body: () throws -> Void) rethrows {
    let cancellation = Cancellation()
    cancellation.cancel()
    try Cancellation.$current.withValue(cancellation, operation: body)
  }

  @Test(arguments: ["t.mbtiles", "t.pmtiles"])
  func `a canceled export of tiles leaves no file`(name: String) throws {
    let path = folder.file(name)
    canceled {
      #expect(throws: DatabaseError.interrupted(path: path)) {
        try MapTiles.write(coverage, to: path, MapTileOptions(zooms: 0...10))
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try MapTiles.write(coverage, to: path, MapTileOptions(zooms: 0...10)).written > 20)
  }

  @Test func `a canceled export into a folder is completed by the next one`() throws {
    let (path, whole) = (folder.file("part"), folder.file("whole"))
    let options = MapTileOptions(zooms: 0...10)
    canceled {
      #expect(throws: DatabaseError.interrupted(path: path)) {
        try MapTiles.write(coverage, to: path, options)
      }
    }
    _ = try MapTiles.write(coverage, to: path, options, replacing: true)
    _ = try MapTiles.write(coverage, to: whole, options)
    #expect(try files(path) == files(whole))
  }

  @Test func `a canceled renewal leaves the file as it was`() throws {
    let path = folder.file("t.mbtiles")
    let options = MapTileOptions(zooms: 0...10)
    _ = try MapTiles.write(coverage, to: path, options)
    let before = try Data(contentsOf: URL(filePath: path))
    var more = coverage
    more.mark(discAround: Coordinate(48.2, 11))
    canceled {
      #expect(throws: DatabaseError.interrupted(path: path)) {
        try MapTiles.write(more, to: path, options)
      }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try MapTiles.write(more, to: path, options).written > 0)
  }

  @Test func `a canceled picture is not drawn`() throws {
    let format = try #require(PNGFormat(width: 64, height: 64, pixels: .rgb))
    let press = try PicturePress(format, for: "p.png")
    let colors = try #require(ColorTheme.all.first).light
    let view = MapView(
      .equalEarth, center: Angles(latitude: 0, longitude: 0), scale: 12,
      frame: PictureFrame(width: 64, height: 64))
    let scene = PictureScene(
      width: 64, height: 64, view: view, style: PictureStyle(colors, for: view))
    #expect(try press.pixels(scene).count == 3 * 64 * 64)
    canceled {
      #expect(throws: DatabaseError.interrupted(path: "p.png")) { try press.pixels(scene) }
      #expect(throws: DatabaseError.interrupted(path: "p.png")) {
        try press.print(scene) { _ in true }
      }
    }
  }

  @Test func `a canceled SVG is not written`() throws {
    let explorer = try Explorer(storePath: folder.file("s.sqlite"))
    let path = folder.file("p.svg")
    let maker = PictureMaker(
      explorer: explorer, options: PictureOptions(), query: MapQuery(), format: .svg, path: path)
    let colors = try #require(ColorTheme.all.first).light
    let view = MapView(
      .equalEarth, center: Angles(latitude: 0, longitude: 0), scale: 12,
      frame: PictureFrame(width: 64, height: 64))
    var scene = PictureScene(
      width: 64, height: 64, view: view, style: PictureStyle(colors, for: view))
    scene.setCells(coverage)
    let content = PictureMaker.Content(scene: scene, coverage: coverage, title: "t")
    /// The size of the document.
    func written() throws -> Int {
      let file = try DatabaseOutput(path: path, keeping: [:], replacing: false)
      let output = PictureOutput(file)
      try maker.writeSVG(content, to: output)
      return output.bytes
    }
    canceled { #expect(throws: DatabaseError.interrupted(path: path)) { try written() } }
    #expect(try written() > 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// The names and bytes of the files in a folder and below it.
  private func files(_ path: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    let root = URL(filePath: path)
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let file = root.appending(path: name)
      let values = try file.resourceValues(forKeys: [.isDirectoryKey])
      if values.isDirectory == false { files[name] = try Data(contentsOf: file) }
    }
    return files
  }
}
