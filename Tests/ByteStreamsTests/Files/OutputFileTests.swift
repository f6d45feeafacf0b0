import Foundation
import TestSupport
import Testing

@testable import ByteStreams

@Suite struct OutputFileTests {
  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try OutputFile(path: path, replacing: true)
    #expect(file.write(bytes))
    try file.finish()
  }

  @Test func `a file appears when it is complete, and an abandoned one leaves nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a")
    do {
      let file = try OutputFile(path: path, replacing: true)
      #expect(file.write([1, 2, 3]))
      #expect(try names(folder).filter { $0 == "a" }.isEmpty)
    }
    #expect(try names(folder).isEmpty)
    try write([1, 2, 3], to: path)
    try write([4], to: path)
    #expect(try names(folder) == ["a"] && (bytes(path)) == [4])
  }

  @Test func `a symbolic link is kept, and its target is written`() throws {
    let folder = try TemporaryFolder()
    let other = try TemporaryFolder()
    let manager = FileManager.default
    try Data([9]).write(to: URL(fileURLWithPath: other.file("target")))
    try manager.createSymbolicLink(
      atPath: folder.file("absolute"), withDestinationPath: other.file("target"))
    try manager.createSymbolicLink(atPath: folder.file("relative"), withDestinationPath: "absolute")
    try manager.createSymbolicLink(atPath: folder.file("dangling"), withDestinationPath: "new")
    try manager.createSymbolicLink(atPath: folder.file("circle"), withDestinationPath: "circle")
    try write([1], to: folder.file("absolute"))
    #expect(try bytes(other.file("target")) == [1])
    try write([2], to: folder.file("relative"))
    #expect(try bytes(other.file("target")) == [2])
    try write([3], to: folder.file("dangling"))
    #expect(try bytes(folder.file("new")) == [3])
    #expect(throws: OutputFailure.self) { try write([4], to: folder.file("circle")) }
    #expect(try names(folder) == ["absolute", "circle", "dangling", "new", "relative"])
    #expect(try names(other) == ["target"])
    for link in ["absolute", "relative", "dangling"] {
      #expect(throws: Never.self) {
        try manager.destinationOfSymbolicLink(atPath: folder.file(link))
      }
    }
  }
}
