import Foundation
import TestSupport
import Testing

@testable import Receivers

/// Collects the events of a stream.
private final class Watcher {
  let stream: ReceiverStream
  private(set) var bytes: [UInt8] = []

  init(_ address: String, reconnects: Bool = true, asksForNMEA: Bool = false) throws {
    var options = ByteSource.Options(try ReceiverAddress(address))
    options.asksForNMEA = asksForNMEA
    stream = ReceiverStream(options, reconnects: reconnects)
  }

  deinit { stream.stop() }

  /// The time in seconds that any event may take on a busy machine.
  static let patienceSeconds = 60.0

  /// The name of the next event. Bytes are collected.
  func next() throws -> String {
    let deadline = ContinuousClock.now + .seconds(Self.patienceSeconds)
    switch try #require(stream.next(until: deadline)).event {
    case .opened: return "opened"
    case .bytes(let more):
      bytes += more
      return "bytes"
    case .lost: return "lost"
    case .ended(let error): return error.map { "ended: \($0)" } ?? "ended"
    }
  }

  /// Waits until this text has come.
  func wait(for text: String) throws {
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(text) {
      try #require(try next() == "bytes")
    }
  }

  /// Waits for an event, whatever comes before.
  func wait(until event: String) throws {
    while try next() != event {}
  }
}

@Suite struct ReceiverStreamTests {
  @Test func `a server that drops the connection is called again`() throws {
    let server = try LoopbackServer()
    let watcher = try Watcher("tcp://127.0.0.1:\(server.port)")
    for text in ["first\n", "second\n", "third\n"] {
      let client = try server.accept()
      #expect(try watcher.next() == "opened")
      try client.send(text)
      try watcher.wait(for: text)
      watcher.stream.noteGoodData()
      client.end()
      #expect(try watcher.next() == "lost")
    }
  }

  @Test func `without reconnecting, a lost connection is the end`() throws {
    let server = try LoopbackServer()
    let watcher = try Watcher("tcp://127.0.0.1:\(server.port)", reconnects: false)
    do {
      let client = try server.accept()
      try client.send("a")
    }
    #expect(try watcher.next() == "opened")
    try watcher.wait(until: "ended")
  }

  @Test func `gpsd is asked before it answers`() throws {
    let server = try LoopbackServer()
    let watcher = try Watcher("gpsd://127.0.0.1:\(server.port)", asksForNMEA: true)
    let client = try server.accept()
    #expect(try client.line() == "?WATCH={\"enable\":true,\"nmea\":true};\n")
    try client.send("{}\n")
    #expect(try watcher.next() == "opened")
    try watcher.wait(for: "{}\n")
  }

  @Test func `a server that is not there is tried again`() throws {
    // A port that was free a moment ago.
    let port = try LoopbackServer().port
    let watcher = try Watcher("tcp://127.0.0.1:\(port)")
    #expect(try watcher.next() == "lost")
    #expect(try watcher.next() == "lost")
    let once = try Watcher("tcp://127.0.0.1:\(port)", reconnects: false)
    #expect(try once.next().hasPrefix("ended: it does not answer"))
  }

  @Test func `a file is read to its end, however late, with bounded memory`() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 1)
    let bytes = (0..<5_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let path = try folder.write(bytes, to: "log")
    let watcher = try Watcher(path)
    #expect(try watcher.next() == "opened")
    while try watcher.next() == "bytes" {
      #expect(watcher.stream.waitingBytes <= ReceiverStream.capacity)
    }
    #expect(watcher.bytes == bytes)
  }

  @Test func `a folder, a path that leads nowhere and a missing device`() throws {
    let folder = try TemporaryFolder()
    #expect(try Watcher(folder.path).next() == "ended: it is a folder")
    let nowhere = try Watcher(folder.file("nowhere")).next()
    #expect(nowhere == "ended: it cannot be opened: No such file or directory")
    #expect(try Watcher("/dev/roqua-nothing").next() == "lost")
  }

  @Test func `the silence before bytes is measured`() throws {
    let server = try LoopbackServer()
    let watcher = try Watcher("tcp://127.0.0.1:\(server.port)")
    let client = try server.accept()
    #expect(try watcher.next() == "opened")
    Thread.sleep(forTimeInterval: 0.3)
    try client.send("a")
    let deadline = ContinuousClock.now + .seconds(Watcher.patienceSeconds)
    let item = try #require(watcher.stream.next(until: deadline))
    #expect(item.silenceSeconds >= 0.25)
  }
}

@Suite struct SerialLineTests {
  /// A pseudoterminal: its other end is a serial device for programs.
  private final class Line {
    let master: Int32
    let path: String

    init() throws {
      #if os(Linux)
        // The functions of POSIX are not visible to Swift here; these are the requests that they
        // make (ioctl_tty(2)): unlock the other end, and ask for its number.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (locked, number): (Int32, UInt32) = (0, 0)
        let (unlock, ask): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        try #require(ioctl(master, unlock, &locked) == 0 && ioctl(master, ask, &number) == 0)
        path = "/dev/pts/\(number)"
      #else
        master = posix_openpt(O_RDWR | O_NOCTTY)
        try #require(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
        path = String(cString: try #require(ptsname(master)))
      #endif
    }

    deinit { close(master) }

    func send(_ bytes: [UInt8]) throws {
      try #require(write(master, bytes, bytes.count) == bytes.count)
    }
  }

  @Test func `every byte passes unchanged, and nothing is sent back`() throws {
    let line = try Line()
    let watcher = try Watcher(line.path)
    #expect(try watcher.next() == "opened")
    // Control characters would end a line, stop it, or send a signal on a terminal.
    let all = (UInt8.min...UInt8.max).map { $0 }
    try line.send(all)
    while watcher.bytes.count < all.count { #expect(try watcher.next() == "bytes") }
    #expect(watcher.bytes == all)
    _ = fcntl(line.master, F_SETFL, O_NONBLOCK)
    var byte: UInt8 = 0
    #expect(read(line.master, &byte, 1) < 0 && errno == EAGAIN)
  }

  @Test func `a device that is unplugged and comes back is read again`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    var line: Line? = try Line()
    symlink(try #require(line).path, path)
    let watcher = try Watcher(path)
    #expect(try watcher.next() == "opened")
    try line?.send(Array("one\n".utf8))
    try watcher.wait(for: "one\n")
    unlink(path)
    line = nil
    try watcher.wait(until: "lost")
    let next = try Line()
    symlink(next.path, path)
    try watcher.wait(until: "opened")
    try next.send(Array("two\n".utf8))
    try watcher.wait(for: "two\n")
  }

  @Test(arguments: SerialLine.speeds)
  func `the speed of the line is set`(speed: Int) throws {
    let line = try Line()
    var options = ByteSource.Options(.path(line.path))
    options.baud = speed
    let source = try ByteSource(options)
    var settings = termios()
    #expect(tcgetattr(line.master, &settings) == 0)
    let codes: [Int: Int32] = [1_200: Int32(B1200), 4_800: Int32(B4800), 115_200: Int32(B115200)]
    if let code = codes[speed] { #expect(Int32(cfgetospeed(&settings)) == code) }
    #expect(settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
    #expect(settings.c_iflag & tcflag_t(IXON | ICRNL) == 0)
    withExtendedLifetime(source) {}
  }
}
