#if Sync
  import AgeFile
  import ByteStreams
  import CSQLite
  import Foundation
  import SQLiteLayer
  import TestSupport
  import Testing

  @testable import StoreLock

  /// Locking and unlocking.
  @Suite struct LockTests {
    private let bench: LockBench
    private let passphrase = LockBench.passphrase

    init() throws { bench = try LockBench() }

    @Test(arguments: Seeds.sample(12))
    func `a store that was locked and unlocked has the same contents`(seed: UInt64) throws {
      try bench.makeStore(rows: Int(seed * seed), seed: seed)
      if seed % 2 == 0 { try bench.makeOthers() }
      // Read from a copy, because reading brings the log into the file.
      for ending in ["", "-wal", "-sync", ".tokens", ".inbox"] {
        try? bench.copy(bench.path + ending, to: bench.folder.file("made copy") + ending)
      }
      let before = try bench.contents(of: bench.folder.file("made copy"))
      #expect(before.count >= seed)
      let locked = try bench.lock.lock(with: passphrase)
      #expect(try bench.names() == ["store.sqlite.age"])
      #expect(locked.byteCount == LockBench.size(bench.lockedPath))
      #expect(LockBench.mode(bench.lockedPath) == 0o600)
      #expect(try bench.lock.place.state() == .locked)
      let unlocked = try bench.lock.unlock(with: passphrase)
      #expect(unlocked.path == bench.path && LockBench.mode(bench.path) == 0o600)
      #expect(try bench.lock.place.state() == .unlocked(hasLockedFile: true))
      #expect(try bench.contents() == before)
    }

    @Test func `a store that a restore replaced is not left unencrypted`() throws {
      try bench.makeStore(rows: 5)
      try bench.makeOthers()
      let kept = bench.path + "-sync/replaced-1700000000000.sqlite"
      try bench.copy(bench.folder.file("made"), to: kept)
      #expect(throws: LockError.keepsReplaced(path: kept)) {
        try bench.lock.lock(with: passphrase)
      }
      #expect(try bench.lock.place.state() == .unlocked(hasLockedFile: false))
      try FileManager.default.removeItem(atPath: kept)
      try bench.lock.lock(with: passphrase)
    }

    @Test func `nothing of the store can be read in the locked file`() throws {
      try bench.makeStore(rows: 40)
      try bench.makeOthers()
      try bench.lock.lock(with: passphrase)
      let bytes = try #require(FileManager.default.contents(atPath: bench.lockedPath))
      for text in ["SQLite format 3", "CREATE TABLE", "store.sqlite", "ustar", "48.58", "phone"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
      }
    }

    @Test func `what was added while the store was unlocked is locked too`() throws {
      try bench.makeStore(rows: 5)
      try bench.lock.lock(with: passphrase)
      try bench.lock.unlock(with: passphrase)
      try add("7")
      let other = AgePassphrase("another one")
      try bench.lock.lock(with: other)
      #expect(throws: LockError.wrongPassphrase(path: bench.lockedPath)) {
        try bench.lock.unlock(with: passphrase)
      }
      try bench.lock.unlock(with: other)
      #expect(try bench.contents().last?.hasPrefix("6 7 ") == true)
    }

    private func add(_ value: String, to file: String? = nil) throws {
      let store = try Connection(path: file ?? bench.path, flags: SQLITE_OPEN_READWRITE)
      try store.execute("INSERT INTO fixes (value, bytes) VALUES (\(value), x'00')")
    }

    @Test func `a wrong passphrase changes nothing`() throws {
      try bench.makeStore(rows: 5)
      try bench.makeOthers()
      try bench.lock.lock(with: passphrase)
      let file = try #require(FileManager.default.contents(atPath: bench.lockedPath))
      for isInMemory in [false, true] {
        for text in ["", "correct hors", "correct horse ", "Correct horse"] {
          #expect(throws: LockError.self) {
            try bench.lock.unlock(with: AgePassphrase(text), inMemory: isInMemory)
          }
          #expect(try bench.names() == ["store.sqlite.age"])
          #expect(FileManager.default.contents(atPath: bench.lockedPath) == file)
        }
      }
      #expect(throws: LockError.emptyPassphrase) {
        try bench.lock.lock(with: AgePassphrase(""))
      }
    }

    @Test func `a file that is cut off anywhere is refused and kept`() throws {
      try bench.makeStore(rows: 1)
      try bench.makeOthers()
      try bench.lock.lock(with: passphrase)
      let file = [UInt8](try #require(FileManager.default.contents(atPath: bench.lockedPath)))
      let cuts = Array(stride(from: 0, to: file.count, by: 997)) + [file.count - 1]
      for count in cuts {
        try bench.folder.write(Array(file[..<count]), to: "store.sqlite.age")
        let error = #expect(throws: LockError.self) { try bench.lock.unlock(with: passphrase) }
        guard case .damaged = error else {
          Issue.record("\(count): \(String(describing: error))")
          continue
        }
        #expect(try bench.names() == ["store.sqlite.age"], "\(count)")
        #expect(LockBench.size(bench.lockedPath) == count)
      }
      var random = SplitMix64(seed: 4)
      for _ in 0..<40 {
        var changed = file
        changed[Int(random.next() % UInt64(file.count))] ^= UInt8(1 << (random.next() % 8))
        try bench.folder.write(changed, to: "store.sqlite.age")
        #expect(throws: LockError.self) { try bench.lock.unlock(with: passphrase) }
        #expect(try bench.names() == ["store.sqlite.age"])
      }
    }

    @Test func `files with other contents are refused`() throws {
      let path = bench.lockedPath
      func expectRefusal(_ bytes: [UInt8], _ error: (LockError) -> Bool) throws {
        try bench.folder.write(bytes, to: "store.sqlite.age")
        let thrown = #expect(throws: LockError.self) { try bench.lock.unlock(with: passphrase) }
        #expect(thrown.map(error) == true, "\(String(describing: thrown))")
        #expect(try bench.names() == ["store.sqlite.age"])
      }
      func sealed(_ bytes: [UInt8]) throws -> [UInt8] {
        try Age.encrypt(bytes, with: passphrase, workFactor: 4)
      }
      func isDamaged(_ error: LockError) -> Bool {
        if case .damaged = error { true } else { false }
      }
      func member(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        TarHeader(name: name, size: bytes.count).block + bytes
          + [UInt8](repeating: 0, count: TarHeader.paddingBytes(after: bytes.count))
      }
      let store = member("store.sqlite", DatabaseFile.magic + [1, 2, 3])
      try expectRefusal(Array("not an age file".utf8), isDamaged)
      try expectRefusal(sealed([]), isDamaged)
      try expectRefusal(sealed(Array("SQLite format 3\0".utf8)), isDamaged)
      try expectRefusal(sealed(TarHeader.end), isDamaged)
      try expectRefusal(sealed(member("store.sqlite", [1]) + TarHeader.end), isDamaged)
      try expectRefusal(sealed(store + store + TarHeader.end), isDamaged)
      try expectRefusal(sealed(member("store.sqlite.tokens", []) + TarHeader.end), isDamaged)
      for name in ["other", "store.sqlite-sync/../x", "store.sqlite-sync/", "/etc/x"] {
        try expectRefusal(sealed(store + member(name, [1]) + TarHeader.end)) {
          $0 == .unknownContents(path: path, name: name)
        }
      }
      let identity = try AgeIdentity.generate()
      try expectRefusal(Age.encrypt(store, to: [identity.recipient])) {
        $0 == .wrongPassphrase(path: path)
      }
    }

    @Test func `a store that is open is not locked`() throws {
      try bench.makeStore(rows: 5)
      let reader = try Connection(path: bench.path, flags: SQLITE_OPEN_READWRITE)
      _ = try reader.integer("SELECT count(*) FROM fixes")
      let before = try bench.names()
      // SQLite's locks keep connections of this process apart too.
      #expect(throws: LockError.inUse(path: bench.path)) { try bench.lock.lock(with: passphrase) }
      #expect(try bench.names() == before)
      #expect(try reader.integer("SELECT count(*) FROM fixes") == 5)
    }

    @Test func `a store that cannot be locked is refused`() throws {
      #expect(throws: DatabaseError.missing(path: bench.path)) {
        try bench.lock.lock(with: passphrase)
      }
      #expect(throws: DatabaseError.missing(path: bench.path)) {
        try bench.lock.unlock(with: passphrase)
      }
      try bench.folder.write("no database", to: "store.sqlite")
      #expect(throws: DatabaseError.self) { try bench.lock.lock(with: passphrase) }
      unlink(bench.path)
      try bench.makeStore(rows: 5)
      #expect(throws: LockError.unlocked(path: bench.path, file: bench.path)) {
        try bench.lock.unlock(with: passphrase)
      }
      link(bench.path, bench.folder.file("made link"))
      #expect(throws: LockError.self) { try bench.lock.lock(with: passphrase) }
      unlink(bench.folder.file("made link"))
      symlink(bench.path, bench.folder.file("made.sqlite"))
      #expect(throws: LockError.self) {
        try StoreLock(path: bench.folder.file("made.sqlite")).lock(with: passphrase)
      }
      try bench.lock.lock(with: passphrase)
      #expect(throws: LockError.locked(path: bench.path)) {
        try bench.lock.lock(with: passphrase)
      }
    }

    @Test func `a locked store is not opened or made`() throws {
      try bench.makeStore(rows: 5)
      try bench.lock.lock(with: passphrase)
      symlink(bench.path, bench.folder.file("made.sqlite"))
      for path in [bench.path, bench.folder.file("made.sqlite")] {
        for creating in [false, true] {
          #expect(throws: DatabaseError.locked(path: path)) {
            try DatabaseFile.exists(path: path, creating: creating)
          }
        }
      }
      #expect(try !DatabaseFile.exists(path: bench.folder.file("made new"), creating: true))
    }

    @Test func `logs and other files in the way are kept`() throws {
      try bench.makeStore(rows: 5)
      try bench.makeOthers()
      try bench.lock.lock(with: passphrase)
      try bench.folder.write("log", to: "store.sqlite-wal")
      #expect(throws: LockError.stray(path: bench.path + "-wal")) {
        try bench.lock.unlock(with: passphrase)
      }
      unlink(bench.path + "-wal")
      try bench.folder.write("other", to: "store.sqlite.tokens")
      for _ in 0..<2 {
        #expect(try bench.lock.hasLeftovers())
        #expect(throws: LockError.stray(path: bench.path + ".tokens")) {
          try bench.lock.unlock(with: passphrase)
        }
        #expect(throws: LockError.stray(path: bench.path + ".tokens")) {
          try bench.lock.lock(with: passphrase)
        }
        #expect(try bench.names() == ["store.sqlite.age", "store.sqlite.tokens"])
      }
      // The same bytes are no harm.
      try bench.folder.write("phone abc\n", to: "store.sqlite.tokens")
      #expect(try bench.lock.lock(with: passphrase).isCompletion)
      #expect(try bench.names() == ["store.sqlite.age"])
    }

    #if os(Linux)
      @Test func `a store in memory is reached by its path and locked again`() throws {
        try bench.makeStore(rows: 5)
        try bench.makeOthers()
        try bench.lock.lock(with: passphrase)
        let unlocked = try bench.lock.unlock(with: passphrase, inMemory: true)
        #expect(unlocked.path.hasPrefix(bench.memory))
        #expect(try bench.lock.place.state() == .inMemory(file: unlocked.path))
        #expect(LockedFile.memoryPath(of: bench.path) == unlocked.path)
        #expect(!LockedFile.isLocked(path: bench.path))
        // Nothing but a link is on the disk.
        #expect(try bench.names() == ["store.sqlite", "store.sqlite.age"])
        try add("8", to: bench.path)
        #expect(LockBench.size(unlocked.path + ".tokens") == 10)
        try bench.lock.lock(with: passphrase)
        #expect(try bench.names() == ["store.sqlite.age"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.memory) == [])
        try bench.lock.unlock(with: passphrase)
        #expect(try bench.contents().contains { $0.hasPrefix("6 8 ") })
        #expect(LockBench.size(bench.path + "-sync/device.key") == 256)
      }

      @Test func `after a power cut the locked file counts`() throws {
        try bench.makeStore(rows: 5)
        try bench.lock.lock(with: passphrase)
        let file = try bench.lock.unlock(with: passphrase, inMemory: true).path
        try add("8", to: bench.path)
        try FileManager.default.removeItem(atPath: FilePath(file).folder)
        #expect(try bench.lock.place.state() == .locked)
        #expect(throws: DatabaseError.locked(path: bench.path)) {
          try DatabaseFile.exists(path: bench.path, creating: true)
        }
        // Another person cannot put a store there.
        mkdir(FilePath(file).folder, 0o777)
        chmod(FilePath(file).folder, 0o777)
        try bench.copy(bench.folder.file("made"), to: file)
        #expect(LockedFile.isLocked(path: bench.path))
        #expect(try bench.lock.place.state() == .locked)
        #expect(throws: LockError.self) {
          try bench.lock.unlock(with: passphrase, inMemory: true)
        }
        try bench.lock.unlock(with: passphrase)
        #expect(try bench.contents().count == 5)
      }

      @Test func `that memory was emptied is said until the store is unlocked`() throws {
        try bench.makeStore(rows: 5)
        try bench.lock.lock(with: passphrase)
        #expect(!bench.lock.hasLostMemory)
        let file = try bench.lock.unlock(with: passphrase, inMemory: true).path
        #expect(!bench.lock.hasLostMemory)
        try FileManager.default.removeItem(atPath: FilePath(file).folder)
        #expect(bench.lock.hasLostMemory)
        #expect(throws: LockError.wrongPassphrase(path: bench.lockedPath)) {
          try bench.lock.unlock(with: AgePassphrase("wrong"))
        }
        #expect(bench.lock.hasLostMemory)
        let kept = try Data(contentsOf: URL(fileURLWithPath: bench.lockedPath))
        try kept.dropLast(20).write(to: URL(fileURLWithPath: bench.lockedPath))
        #expect(throws: LockError.self) { try bench.lock.unlock(with: passphrase) }
        #expect(bench.lock.hasLostMemory)
        try kept.write(to: URL(fileURLWithPath: bench.lockedPath))
        #expect(try bench.lock.unlock(with: passphrase).wasEmptied)
        #expect(!bench.lock.hasLostMemory)
        #expect(try bench.contents().count == 5)
        try bench.lock.lock(with: passphrase)
        #expect(try !bench.lock.unlock(with: passphrase).wasEmptied)
      }

      @Test(.enabled(if: geteuid() == 0, "only root can give files to others"))
      func `a store that its owner has in memory is not unlocked by another user`() throws {
        try bench.makeStore(rows: 5)
        try bench.lock.lock(with: passphrase)
        let file = try bench.lock.unlock(with: passphrase, inMemory: true).path
        for path in [file, FilePath(file).folder, bench.lockedPath] { chown(path, 1, 1) }
        #expect(throws: LockError.self) { try bench.lock.unlock(with: passphrase) }
        #expect(LockBench.size(bench.path) == LockBench.size(file))
        for path in [file, FilePath(file).folder, bench.lockedPath] { chown(path, 0, 0) }
        try bench.lock.lock(with: passphrase)
        try bench.lock.unlock(with: passphrase)
        #expect(try bench.contents().count == 5)
      }

      @Test func `without space in memory nothing changes`() throws {
        try bench.makeStore(rows: 5)
        try bench.lock.lock(with: passphrase)
        var lock = bench.lock
        lock.memoryFolders = [bench.folder.path, "/nowhere"]
        let error = #expect(throws: LockError.self) {
          try lock.unlock(with: passphrase, inMemory: true)
        }
        guard case .noMemory = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(try bench.names() == ["store.sqlite.age"])
      }

      @Test func `the innermost mount counts`() {
        let table = """
          /dev/vda / ext4 rw 0 0
          tmpfs /run tmpfs rw 0 0
          tmpfs /run/user/1000 tmpfs rw 0 0
          none /run/user/1000 ext4 rw 0 0
          x /runner xfs rw 0 0
          """
        let types = ["/home/a", "/run", "/run/a", "/run/user/1000/a", "/runner/a", "/"].map {
          MemoryFolder.fileSystem(of: $0, table)
        }
        #expect(types == ["ext4", "tmpfs", "tmpfs", "ext4", "xfs", "ext4"])
      }
    #endif
  }
#endif
