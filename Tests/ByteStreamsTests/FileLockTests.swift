import Foundation
import TestSupport
import Testing

@testable import ByteStreams

@Suite struct FileLockTests {
  @Test func `a released lock is free although a starting process has a copy of the file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lock")
    func locked() -> Int32? {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }
    let first = try #require(locked())
    // What a process has between `fork` and `exec`.
    let copy = fcntl(first, F_DUPFD_CLOEXEC, 0)
    defer { close(copy) }
    #expect(copy >= 0 && locked() == nil)
    FileLock.release(first)
    let second = try #require(locked())
    FileLock.release(second)
  }
}
