import Foundation
import Geodesy
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C during an import, and the progress line on a terminal.
@Suite struct InterruptionTests {
  /// Some points a kilometer and a minute apart.
  private static func track(_ points: Int, latitude: Double) -> String {
    TrackText.gpx(
      (0..<points).map {
        (
          Coordinate(latitude, Double($0) / 100),
          Timestamp(millisecondsSince1970: 1_714_557_600_000 + Int64($0) * 60_000)
        )
      })
  }

  private struct TooSlow: Error {}

  /// Waits until a condition holds.
  private func wait(until isDone: () throws -> Bool) throws {
    for _ in 0..<1_000 {
      if try isDone() { return }
      Thread.sleep(forTimeInterval: 0.03)
    }
    throw TooSlow()
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted import keeps finished files, and the same command imports the rest`(
    number: Int32
  )
    throws
  {
    let bench = try Bench()
    try bench.folder.write(Self.track(5, latitude: 10), to: "a.gpx")
    let rest = Self.track(7, latitude: 20)
    let pipe = Pipe()
    var process = bench.process(["import", "a.gpx", "-"])
    process.input = pipe.fileHandleForReading
    let running = try process.start()
    // The second source stays open, so that the signal arrives in the middle of it.
    try pipe.fileHandleForWriting.write(contentsOf: Data(rest.utf8.prefix(200)))
    try wait {
      try bench.hasStore && bench.roqua("stats", "--json").out.contains("\"keptFixes\":5")
    }
    running.send(number)
    try #require(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.wasKilled)
    #expect(result.status == number)
    #expect(
      result.err
        == "roqua: interrupted: 1 file imported; run the same command again to import the rest\n")
    #expect(result.out.hasPrefix("1 file imported: 5 of 5 points kept, 2024-05-01\n"))
    try? pipe.fileHandleForWriting.close()

    let again = try bench.json("import", "a.gpx", "-", input: rest)
    #expect(again.files.elements.map(\.status.string) == ["duplicate", "imported"])
    try #expect(bench.json("stats").keptFixes.int == 12)
  }

  @Test func `an interrupted import prints the report so far as JSON`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.track(5, latitude: 10), to: "a.gpx")
    let pipe = Pipe()
    var process = bench.process(["import", "a.gpx", "-", "--json"])
    process.input = pipe.fileHandleForReading
    let running = try process.start()
    try wait {
      try bench.hasStore && bench.roqua("stats", "--json").out.contains("\"keptFixes\":5")
    }
    running.send(SIGINT)
    try #require(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.wasKilled && result.status == SIGINT)
    let document = try JSONTree(parsing: result.out)
    #expect(document.files.elements.map(\.path) == [.string("a.gpx")])
    #expect(document.totals.imported.int == 1 && document.totals.kept.int == 5)
    try? pipe.fileHandleForWriting.close()
  }

  @Test func `an interrupted dry run reports that nothing was changed`() throws {
    let bench = try Bench()
    let pipe = Pipe()
    var process = bench.process(["import", "--dry-run", "-"])
    process.input = pipe.fileHandleForReading
    let running = try process.start()
    // Whether it waits cannot be seen from outside. An earlier signal would end it without a
    // message.
    Thread.sleep(forTimeInterval: 2)
    running.send(SIGINT)
    try #require(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.wasKilled && result.status == SIGINT)
    #expect(result.err == "roqua: interrupted: nothing was changed\n")
    #expect(!bench.hasStore)
    try? pipe.fileHandleForWriting.close()
  }

  @Test func `the progress of one long source is shown on a terminal and erased at the end`() throws
  {
    let bench = try Bench()
    let terminal = try Terminal()
    let pipe = Pipe()
    var process = bench.process(["import", "-"])
    process.input = pipe.fileHandleForReading
    process.errorOutput = terminal.tool
    let running = try process.start()
    let text = Array(Self.track(2_000, latitude: 30).utf8)
    // More bytes than format detection reads.
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.prefix(100_000)))
    try wait {
      terminal.read()
      return terminal.text.contains("0 of 1 file, 100 kB")
    }
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.dropFirst(100_000)))
    try pipe.fileHandleForWriting.close()
    try #require(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.status == 0)
    #expect(result.out.hasPrefix("1 file imported: 2,000 of 2,000 points kept"))
    #expect(result.controlCharacters.isEmpty)
    terminal.read()
    #expect(terminal.text.hasSuffix("\r\u{1B}[K"))
    let lines = terminal.text.components(separatedBy: "\r\u{1B}[K").dropFirst().filter {
      !$0.isEmpty
    }
    #expect(lines.allSatisfy { $0.contains(" points/s") && !$0.contains("\n") })
    // The length of a pipe is not known.
    #expect(lines.allSatisfy { !$0.contains("left") })
  }

  /// A pseudoterminal without a person.
  private final class Terminal {
    /// The side to which the tool writes.
    let tool: FileHandle
    private let person: Int32
    private(set) var text = ""

    init() throws {
      #if canImport(Darwin)
        person = posix_openpt(O_RDWR | O_NOCTTY)
        try #require(person >= 0 && grantpt(person) == 0 && unlockpt(person) == 0)
        let name = String(cString: try #require(ptsname(person)))
      #else
        person = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // ioctl_tty(2): TIOCSPTLCK unlocks, TIOCGPTN returns the number. The Glibc module does not
        // have the functions for them.
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        try #require(person >= 0 && ioctl(person, 0x4004_5431, &isLocked) == 0)
        try #require(ioctl(person, 0x8004_5430, &number) == 0)
        let name = "/dev/pts/\(number)"
      #endif
      _ = fcntl(person, F_SETFL, O_NONBLOCK)
      let side = open(name, O_RDWR | O_NOCTTY)
      try #require(side >= 0)
      tool = FileHandle(fileDescriptor: side, closeOnDealloc: true)
    }

    deinit { close(person) }

    /// Reads everything available.
    func read() {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = buffer.withUnsafeMutableBytes { unistdRead(person, $0) }
        guard count > 0 else { return }
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }
  }
}

/// The system's `read`, which a method of that name hides.
private func unistdRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
