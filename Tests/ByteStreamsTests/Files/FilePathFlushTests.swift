import Foundation
import TestSupport
import Testing

@testable import ByteStreams

@Suite struct FilePathFlushTests {
  @Test func `flushing a path that is a pipe does not wait for a writer`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("text", to: "file")
    FilePath.flush(folder: folder.path)
    FilePath.flush(folder: file)
    FilePath.flush(folder: folder.file("missing"))
    // Opening a pipe as a file would wait for a writer.
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    FilePath.flush(folder: pipe)
    #expect(try FilePath(file).contents() == Array("text".utf8))
  }
}
