import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua lock` and `roqua unlock`.
@Suite struct LockTests {
  private let bench: Bench
  private let passphrase = "correct horse\n"

  init() throws {
    bench = try Bench()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(48.58, 7.75), count: 9), to: "walk.gpx")
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(41.01, 28.97), count: 7), to: "other.gpx")
    #expect(try bench.roqua("import", "walk.gpx").status == 0)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("home")).sorted()
  }

  private func keptFixes() throws -> Int? {
    try JSONTree(parsing: bench.roqua("stats", "--json").out).keptFixes.int
  }

  @Test func `a locked store is one file, and is the same after unlocking`() throws {
    let missing = try bench.roqua("lock", "--store", "nowhere.sqlite", input: passphrase)
    #expect(missing.status == 1 && missing.err.contains("there is no store"))
    #expect(try bench.roqua("lock", "status").out == "\(bench.storePath): not locked\n")
    let locked = try bench.roqua("lock", input: passphrase)
    #expect(locked.status == 0 && locked.err == "", "\(locked.err)")
    #expect(locked.out.hasPrefix("Locked: \(bench.storePath).age, "))
    #expect(try names() == ["store.sqlite.age"])
    let status = try JSONTree(parsing: bench.roqua("lock", "status", "--json").out)
    #expect(status.state.string == "locked" && status.store == .null)
    let again = try bench.roqua("lock", input: passphrase)
    #expect(again.status == 1 && again.err.contains("locked already"))
    let unlocked = try bench.roqua("unlock", input: passphrase)
    #expect(unlocked.status == 0 && unlocked.out == "Unlocked: \(bench.storePath).\n")
    #expect(try names().contains("store.sqlite") && names().contains("store.sqlite.age"))
    #expect(try keptFixes() == 9)
    let twice = try bench.roqua("unlock", input: passphrase)
    #expect(twice.status == 1 && twice.err.contains("is not locked"))
  }

  @Test func `a wrong or missing passphrase changes nothing`() throws {
    try bench.folder.write("correct horse\r\n", to: "one")
    try bench.folder.write("correct horse\nbattery\n", to: "two")
    for (arguments, input) in [
      (["lock"], ""), (["lock"], "\n"), (["lock", "--passphrase-file", "two"], "x\n"),
      (["lock", "--passphrase-file", "nowhere"], "x\n"),
    ] {
      let result = try bench.roqua(arguments, input: input)
      #expect(result.status == 1 && result.errorLines.count == 1, "\(result.err)")
    }
    #expect(try bench.roqua("lock", "--passphrase-file", "one").status == 0)
    let file = FileManager.default.contents(atPath: bench.storePath + ".age")
    for input in ["", "correct hors\n", "correct horse \n"] {
      let result = try bench.roqua("unlock", input: input)
      #expect(result.status == 1 && result.errorLines.count == 1, "\(result.err)")
      #expect(try names() == ["store.sqlite.age"])
    }
    #expect(FileManager.default.contents(atPath: bench.storePath + ".age") == file)
    // The end of the line does not belong to it.
    #expect(try bench.roqua("unlock", input: passphrase).status == 0)
    #expect(try keptFixes() == 9)
  }

  @Test func `every other command says that the store is locked, and makes no store`() throws {
    let every = EveryCommand(bench: bench, name: "name")
    try every.writeFiles()
    #expect(try bench.roqua("lock", input: passphrase).status == 0)
    let skipped = ["lock", "unlock", "help", "profile", "bench", "name"]
    var lockedCount = 0
    let runs = try every.runs().filter { !skipped.contains($0.arguments[0]) }
    for run in runs + [EveryCommand.Run(arguments: ["--json"])] {
      let result = try bench.roqua(run.arguments, input: run.input)
      #expect(try names() == ["store.sqlite.age"], "\(run.arguments)")
      guard result.err.contains("locked (encrypted)") else { continue }
      #expect(result.status == 1 && result.errorLines.count == 1, "\(run.arguments)")
      #expect(result.err.contains("roqua unlock"), "\(run.arguments)")
      lockedCount += 1
    }
    // The others fail before they open the store: files that do not exist, and wrong usage.
    #expect(lockedCount > 70)
    #expect(try bench.roqua().err.contains("locked (encrypted)"))
  }

  @Test func `keys of sync and tokens are locked too`() throws {
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("shared"), withIntermediateDirectories: true)
    #expect(try bench.roqua("sync", "shared").status == 0)
    #expect(try bench.roqua("serve", "token", "add", "phone").status == 0)
    let fingerprint = try JSONTree(parsing: bench.roqua("sync", "status", "--json").out).fingerprint
    #expect(try bench.roqua("lock", input: passphrase).status == 0)
    #expect(try names().filter { !$0.hasSuffix(".serve") } == ["store.sqlite.age"])
    #expect(try bench.roqua("sync", "add", "age1", "--name", "x").err.contains("locked"))
    #expect(try bench.roqua("unlock", input: passphrase).status == 0)
    let status = try JSONTree(parsing: bench.roqua("sync", "status", "--json").out)
    #expect(status.fingerprint == fingerprint && status.devices.elements.count == 1)
    #expect(try bench.roqua("serve", "token", "list").out.contains("phone"))
  }

  @Test func `a store that another program has open is not locked`() throws {
    let pipe = bench.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let live = try bench.process(["live", pipe]).start()
    defer {
      live.kill()
      _ = live.wait(seconds: 10)
    }
    let writer = open(pipe, O_WRONLY | O_CLOEXEC)
    defer { close(writer) }
    var isInUse = false
    for _ in 0..<100 where !isInUse {
      // The recording opens the store soon after its start.
      Thread.sleep(forTimeInterval: 0.1)
      guard FileManager.default.fileExists(atPath: bench.storePath + "-shm") else { continue }
      let result = try bench.roqua("lock", input: passphrase)
      #expect(result.status == 1 && result.err.contains("another program"), "\(result.err)")
      isInUse = true
    }
    #expect(isInUse)
    #expect(FileManager.default.fileExists(atPath: bench.storePath))
    #expect(!FileManager.default.fileExists(atPath: bench.storePath + ".age"))
  }

  @Test func `a killed lock or unlock leaves a whole store`() throws {
    var random = SplitMix64(seed: 24)
    for round in 0..<12 {
      let isLocked = try names().contains("store.sqlite") == false
      let process = bench.process([isLocked ? "unlock" : "lock"])
      var running = process
      let path = try bench.folder.write(passphrase, to: "input")
      running.input = FileHandle(forReadingAtPath: path)
      let started = try running.start()
      Thread.sleep(forTimeInterval: Double(random.next() % 2_500) / 1_000)
      started.kill()
      #expect(started.wait(seconds: 20))
      let names = try names()
      #expect(names.contains("store.sqlite") || names.contains("store.sqlite.age"), "\(round)")
      if !names.contains("store.sqlite") {
        #expect(try bench.roqua("unlock", input: passphrase).status == 0)
      }
      #expect(try keptFixes() == 9)
      // A part that was left is gone after the next lock.
      if round % 3 == 2 {
        #expect(try bench.roqua("lock", input: passphrase).status == 0)
        #expect(try self.names() == ["store.sqlite.age"])
      }
    }
  }

  @Test func `a passphrase is asked for without showing it`() throws {
    // The answers are sent one after the other, because each question reads the terminal again.
    func terminal(_ command: String, _ answers: [String]) throws -> RoquaResult {
      var process = bench.process([
        "-c",
        """
        import os, pty, sys
        answers = sys.argv[2].split("|")
        child, terminal = pty.fork()
        if child == 0:
            os.execv(sys.argv[1], [sys.argv[1]] + sys.argv[3:])
        seen = b""
        try:
            while True:
                bytes = os.read(terminal, 1000)
                if not bytes: break
                seen += bytes
                if answers and seen.rstrip(b" ").endswith((b"Passphrase:", b"again:")):
                    os.write(terminal, (answers.pop(0) + "\\r").encode())
                    seen += b"|"
        except OSError:
            pass
        sys.stdout.buffer.write(seen)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """, try RoquaProcess.executable.get(), answers.joined(separator: "|"), command,
      ])
      process.wrapper = ["/usr/bin/env", "python3"]
      process.isToolLeftOut = true
      process.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
      return try process.run()
    }
    let differing = try terminal("lock", ["correct horse", "correct hors"])
    #expect(differing.status == 1 && differing.out.contains("passphrases differ"))
    #expect(FileManager.default.fileExists(atPath: bench.storePath))
    let locked = try terminal("lock", ["correct horsd\u{7f}e", "wrong\u{15}correct horse"])
    #expect(locked.status == 0, "\(locked.out)\(locked.err)")
    #expect(!(locked.out + differing.out).contains("horse"))
    let canceled = try terminal("unlock", ["correct\u{4}"])
    #expect(canceled.status == 1 && canceled.out.contains("no passphrase was given"))
    #expect(try names() == ["store.sqlite.age"])
    #expect(try terminal("unlock", ["correct horse"]).status == 0)
    #expect(try keptFixes() == 9)
  }

  #if os(Linux)
    @Test func `age and tar restore the store without Roqua`() throws {
      #expect(try bench.roqua("lock", input: passphrase).status == 0)
      let script = """
        import os, pty, sys
        child, terminal = pty.fork()
        if child == 0:
            os.execvp("age", ["age", "-d", "-o", "plain.tar", sys.argv[1]])
        seen = b""
        while b"passphrase" not in seen:
            seen += os.read(terminal, 1000)
        os.write(terminal, b"correct horse\\r")
        try:
            while os.read(terminal, 1000): pass
        except OSError:
            pass
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
      var process = bench.process(["-c", script, bench.storePath + ".age"])
      process.wrapper = ["/usr/bin/env", "python3"]
      process.isToolLeftOut = true
      process.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
      #expect(try process.run().status == 0)
      var tar = bench.process(["-xf", "plain.tar"])
      tar.wrapper = ["/usr/bin/env", "tar"]
      tar.isToolLeftOut = true
      #expect(try tar.run().status == 0)
      let stats = try bench.roqua(
        "stats", "--json", "--store", bench.folder.file("store.sqlite"))
      #expect(try JSONTree(parsing: stats.out).keptFixes.int == 9)
    }

    @Test func `a store in memory is used by all commands, and locked again`() throws {
      #expect(try bench.roqua("lock", input: passphrase).status == 0)
      let unlocked = try bench.roqua("unlock", "--memory", "--json", input: passphrase)
      let file = try #require(try JSONTree(parsing: unlocked.out).unlocked.string)
      #expect(file.hasPrefix("/dev/shm/roqua-"))
      #expect(try bench.roqua("import", "other.gpx").status == 0)
      #expect(try keptFixes() == 16)
      #expect(try bench.roqua("serve", "token", "add", "phone").status == 0)
      #expect(try names().filter { !$0.hasSuffix(".age") } == ["store.sqlite"])
      let status = try JSONTree(parsing: bench.roqua("lock", "status", "--json").out)
      #expect(status.state.string == "inMemory" && status.store.string == file)
      #expect(try bench.roqua("lock", input: passphrase).status == 0)
      #expect(try names() == ["store.sqlite.age"])
      #expect(!FileManager.default.fileExists(atPath: (file as NSString).deletingLastPathComponent))
      #expect(try bench.roqua("unlock", input: passphrase).status == 0)
      #expect(try keptFixes() == 16)
      #expect(try bench.roqua("serve", "token", "list").out.contains("phone"))
    }

    @Test func `what was lost with the memory is reported`() throws {
      #expect(try bench.roqua("lock", input: passphrase).status == 0)
      let unlocked = try bench.roqua("unlock", "--memory", "--json", input: passphrase)
      let file = try #require(try JSONTree(parsing: unlocked.out).unlocked.string)
      #expect(try bench.roqua("import", "other.gpx").status == 0)
      // A restart.
      try FileManager.default.removeItem(atPath: (file as NSString).deletingLastPathComponent)
      #expect(try bench.roqua("stats").err.contains("roqua unlock"))
      let lost = "what you added and did not lock is lost"
      #expect(try bench.roqua("lock", "status").out.contains(lost))
      let status = try JSONTree(parsing: bench.roqua("lock", "status", "--json").out)
      #expect(status.state.string == "locked" && status.wasEmptied == .bool(true))
      let again = try bench.roqua("unlock", input: passphrase)
      #expect(again.status == 0 && again.err.contains(lost))
      #expect(try keptFixes() == 9)
      #expect(try !bench.roqua("lock", input: passphrase).err.contains(lost))
      #expect(try !bench.roqua("lock", "status").out.contains(lost))
    }
  #endif

  @Test func `a profile can be locked, erased and recovered`() throws {
    let environment = ["ROQUA_STORE": ""]
    func run(_ arguments: String..., input: String? = nil, status: Int32 = 0) throws -> String {
      let result = try bench.roqua(arguments, input: input, environment: environment)
      #expect(result.status == status, "\(arguments): \(result.err)")
      return result.out + result.err
    }
    _ = try run("profile", "create", "work", "--switch")
    _ = try run("import", "walk.gpx")
    _ = try run("lock", input: passphrase)
    #expect(try run("stats", status: 1).contains("roqua unlock"))
    #expect(try run("profile", "list").contains("locked"))
    _ = try run("profile", "switch", "default")
    #expect(try run("stats", status: 1).contains("there is no store"))
    _ = try run("profile", "remove", "work")
    _ = try run("profile", "recover", "work")
    _ = try run("profile", "switch", "work")
    _ = try run("unlock", input: passphrase)
    #expect(try run("stats").contains("9"))
    #if os(Linux)
      _ = try run("lock", input: passphrase)
      _ = try run("unlock", "--memory", input: passphrase)
      _ = try run("profile", "switch", "default")
      #expect(try run("profile", "remove", "work", status: 1).contains("lock it first"))
      _ = try run("profile", "switch", "work")
      _ = try run("lock", input: passphrase)
    #endif
    _ = try run("profile", "switch", "default")
    _ = try run("profile", "remove", "work", "--now")
    let left = try FileManager.default.subpathsOfDirectory(atPath: bench.folder.file("home/data"))
    #expect(!left.contains { $0.hasSuffix(".age") })
  }
}
