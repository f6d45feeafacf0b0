import ByteStreams
import Foundation
import GeoStore
import TestSupport
import Testing

@testable import roqua_tool

/// Files on disk after a signal that ends the program.
struct SignalCleanupTests {
  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal that ends the program removes the partial file`(number: Int32)
    async throws
  {
    let folder = try TemporaryFolder()
    try Data([9]).write(to: URL(fileURLWithPath: folder.file("a")))
    await #expect(processExitsWith: .signal(number)) {
      [path = folder.file("a") as String, number = number as Int32] in
      SignalCleanup.install()
      let file = try OutputFile(path: path, replacing: true)
      guard file.write([1, 2, 3]),
        try FileManager.default.contentsOfDirectory(
          atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path
        ).count == 2
      else { exit(3) }
      // To the process, as a terminal sends it: the threads that tests run on block signals.
      kill(getpid(), number)
      sleep(30)
      withExtendedLifetime(file) {}
    }
    #expect(try names(folder) == ["a"] && (bytes(folder.file("a"))) == [9])
  }

  @Test func `a finished file remains after a later signal`() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = folder.file("a") as String] in
      SignalCleanup.install()
      let file = try OutputFile(path: path, replacing: true)
      guard file.write([1, 2, 3]) else { exit(3) }
      try file.finish()
      kill(getpid(), SIGTERM)
      sleep(30)
    }
    #expect(try names(folder) == ["a"] && (bytes(folder.file("a"))) == [1, 2, 3])
  }

  @Test(arguments: [true, false])
  func `work that goes on after the first signal ends at the second one, or soon`(
    sendsSecond: Bool
  ) async throws {
    await #expect(processExitsWith: .signal(SIGINT)) { [sendsSecond = sendsSecond as Bool] in
      SignalCleanup.install()
      let work = Cancellation()
      SignalCleanup.cancelFirst(work, patienceSeconds: sendsSecond ? 60 : 1)
      kill(getpid(), SIGINT)
      // `timeout` signals the program and its group: within half a second, that is one signal.
      // Another one, so that the exit says if the repeat has ended the program.
      usleep(100_000)
      kill(getpid(), SIGTERM)
      let end = ContinuousClock.now + .milliseconds(700)
      while ContinuousClock.now < end { usleep(10_000) }
      guard work.isCancelled else { exit(3) }
      if sendsSecond { kill(getpid(), SIGINT) }
      sleep(30)
    }
  }
}
