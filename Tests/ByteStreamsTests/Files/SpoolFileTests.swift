import Foundation
import TestSupport
import Testing

@testable import ByteStreams

@Suite struct SpoolFileTests {
  private func read(_ file: SpoolFile, _ offset: Int, _ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try bytes.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
    return bytes
  }

  @Test func `bytes are read back in any order`() throws {
    let file = try SpoolFile(kind: "roqua-test-spool")
    try file.append([1, 2, 3])
    try file.append([])
    try file.append([4, 5])
    #expect(file.count == 5)
    #expect(try read(file, 3, 2) == [4, 5])
    #expect(try read(file, 0, 5) == [1, 2, 3, 4, 5])
    #expect(try read(file, 5, 0) == [])
  }

  @Test func `the file has no name as soon as it is open`() throws {
    let kind = "roqua-test-spool-\(UUID().uuidString)"
    let file = try SpoolFile(kind: kind)
    try file.append([1])
    let names = try FileManager.default.contentsOfDirectory(atPath: FilePath.temporaryFolder)
    #expect(!names.contains { $0.hasPrefix(kind) })
    #expect(try read(file, 0, 1) == [1])
  }

  @Test func `reading bytes that were not appended fails`() throws {
    let file = try SpoolFile(kind: "roqua-test-spool")
    try file.append([1, 2, 3])
    #expect(throws: FileFailure.self) { try read(file, 2, 2) }
  }
}
