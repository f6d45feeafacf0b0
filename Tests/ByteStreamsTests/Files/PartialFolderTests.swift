import Foundation
import TestSupport
import Testing

@testable import ByteStreams

@Suite struct PartialFolderTests {
  @Test func `A folder has all files with their bytes once it has its name`() throws {
    let temporary = try TemporaryFolder()
    let target = temporary.file("Sync")
    let folder = try PartialFolder(for: target)
    for number in 0..<300 {
      try folder.write(
        [UInt8](repeating: UInt8(number & 255), count: number), to: "\(number)")
    }
    #expect(!FileManager.default.fileExists(atPath: target))
    try folder.finish()
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == 300)
    for number in 0..<300 {
      let bytes = try Data(contentsOf: URL(filePath: target).appending(path: "\(number)"))
      #expect(bytes == Data(repeating: UInt8(number & 255), count: number))
    }
  }

  @Test func `A folder that is not finished is gone, however many files wait`() throws {
    let temporary = try TemporaryFolder()
    do {
      let folder = try PartialFolder(for: temporary.file("Sync"))
      for number in 0..<100 { try folder.write([1], to: "\(number)") }
      #expect(throws: FileFailure.self) { try folder.write([2], to: "7") }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.file(".")).isEmpty)
  }

  /// A pipe has no disk, so it cannot be flushed; its other end says whether this one is closed.
  @Test func `What cannot be flushed is named, and all is closed`() throws {
    let flusher = FileFlusher()
    #expect(flusher.wait() == nil)
    var others: [Int32] = []
    var thrown: FileFailure?
    for number in 0..<100 {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      others.append(ends[0])
      do { try flusher.flush(ends[1], of: "\(number)") } catch { thrown = error }
    }
    let failure = try #require(flusher.wait())
    #expect(Int(failure.path) != nil)
    #expect(thrown == failure)
    for other in others {
      var byte: UInt8 = 0
      #expect(fcntl(other, F_SETFL, O_NONBLOCK) == 0)
      #expect(read(other, &byte, 1) == 0)
      close(other)
    }
  }
}
