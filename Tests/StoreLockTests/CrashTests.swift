#if Sync
  import AgeFile
  import ByteStreams
  import Foundation
  import SQLiteLayer
  import Synchronization
  import TestSupport
  import Testing

  @testable import StoreLock

  /// A program that ends at any change on disk.
  @Suite struct CrashTests {
    private struct End: Error {}

    /// Ends a change at its `number`th step. What is on disk is then as it was at that moment: what
    /// the program would have removed while it handled the error is put back.
    ///
    /// - Returns: false if there are fewer steps.
    private func end(
      at number: Int, _ bench: LockBench, _ change: (StoreLock) throws -> Void
    ) throws -> Bool {
      let count = Mutex(0)
      let (folder, memory) = (bench.folder.path, bench.memory)
      let files = FileManager.default
      var lock = bench.lock
      lock.willChange = { _ in
        let step = count.withLock { count in
          count += 1
          return count
        }
        guard step == number else { return }
        try? files.copyItem(atPath: folder, toPath: folder + "-kept")
        try? files.copyItem(atPath: memory, toPath: memory + "-kept")
        throw End()
      }
      do {
        try change(lock)
        try #require(count.withLock { $0 } < number)
        return false
      } catch is End {
        for path in [folder, memory] {
          try files.removeItem(atPath: path)
          try files.moveItem(atPath: path + "-kept", toPath: path)
        }
        return true
      }
    }

    /// Runs a body for a bench at each step of a change of it.
    private func forEachStep(
      _ change: (StoreLock) throws -> Void, prepare: (LockBench) throws -> Void,
      _ body: (LockBench, [String]) throws -> Void
    ) throws {
      var number = 1
      while true {
        let bench = try LockBench()
        try bench.makeStore(rows: 6, seed: 5)
        try bench.makeOthers()
        let before = try bench.contents()
        try prepare(bench)
        guard try end(at: number, bench, change) else { break }
        try body(bench, before)
        number += 1
      }
      #expect(number > 4)
    }

    private let passphrase = LockBench.passphrase

    /// Checks that one of both is whole, that the next lock and unlock complete, and that nothing
    /// of the store is left unencrypted by the lock.
    private func expectWhole(_ bench: LockBench, _ before: [String]) throws {
      switch try bench.lock.place.state() {
      case .unlocked, .inMemory:
        // The files that belong to it are next to it, wherever it is.
        let file = LockedFile.memoryPath(of: bench.path) ?? bench.path
        #expect(try bench.contents(of: file) == before)
        try bench.lock.lock(with: passphrase)
      case .locked:
        if try bench.lock.hasLeftovers() {
          #expect(try bench.lock.lock(with: passphrase).isCompletion)
        }
        #expect(try !bench.lock.hasLeftovers())
      case .missing: Issue.record("nothing is left")
      }
      #expect(try bench.lock.place.state() == .locked)
      let names = try bench.names().filter {
        $0 != "store.sqlite.age" && !$0.hasPrefix("store.sqlite.age.roqua-")
      }
      // A link to memory that is gone may remain.
      #expect(names == [] || names == ["store.sqlite"] && LockBench.size(bench.path) == -1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: bench.memory) == [])
      try bench.lock.unlock(with: passphrase)
      #expect(try bench.contents() == before)
    }

    @Test func `ending while the store is locked`() throws {
      try forEachStep({ try $0.lock(with: passphrase) }, prepare: { _ in }) { bench, before in
        try expectWhole(bench, before)
      }
    }

    @Test func `ending while a store is locked again`() throws {
      try forEachStep({ try $0.lock(with: passphrase) }) { bench in
        try bench.lock.lock(with: AgePassphrase("an older one"))
        try bench.lock.unlock(with: AgePassphrase("an older one"))
      } _: { bench, before in
        try expectWhole(bench, before)
      }
    }

    @Test func `ending while the store is unlocked`() throws {
      try forEachStep({ try $0.unlock(with: passphrase) }) { bench in
        try bench.lock.lock(with: passphrase)
      } _: { bench, before in
        try expectWhole(bench, before)
      }
    }

    @Test func `unlocking goes on after the end of an unlock or lock`() throws {
      for isLocking in [false, true] {
        try forEachStep({
          if isLocking { try $0.lock(with: passphrase) } else { try $0.unlock(with: passphrase) }
        }) { bench in
          if !isLocking { try bench.lock.lock(with: passphrase) }
        } _: { bench, before in
          if try bench.lock.place.state() == .locked { try bench.lock.unlock(with: passphrase) }
          #expect(try bench.contents() == before)
        }
      }
    }

    #if os(Linux)
      @Test func `ending while the store is unlocked into memory`() throws {
        try forEachStep({ try $0.unlock(with: passphrase, inMemory: true) }) { bench in
          try bench.lock.lock(with: passphrase)
        } _: { bench, before in
          try expectWhole(bench, before)
        }
      }

      @Test func `ending while a store in memory is locked`() throws {
        for hasPowerCut in [false, true] {
          try forEachStep({ try $0.lock(with: passphrase) }) { bench in
            try bench.lock.lock(with: passphrase)
            try bench.lock.unlock(with: passphrase, inMemory: true)
          } _: { bench, before in
            if hasPowerCut {
              try FileManager.default.removeItem(atPath: bench.memory)
              mkdir(bench.memory, 0o700)
            }
            try expectWhole(bench, before)
          }
        }
      }
    #endif

    @Test(arguments: [false, true])
    func `an encrypted file that cannot be read back replaces nothing`(hasOlder: Bool) throws {
      let bench = try LockBench()
      try bench.makeStore(rows: 6)
      if hasOlder {
        try bench.lock.lock(with: passphrase)
        try bench.lock.unlock(with: passphrase)
      }
      let before = try bench.contents()
      let older = FileManager.default.contents(atPath: bench.lockedPath)
      var lock = bench.lock
      let folder = bench.folder.path
      lock.willChange = { step in
        guard step == .readBack else { return }
        // A disk that loses a byte.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first { $0.hasPrefix("store.sqlite.age.roqua-") })
        let file = try #require(FileHandle(forUpdatingAtPath: folder + "/" + name))
        try file.seek(toOffset: 5_000)
        let byte = try file.read(upToCount: 1)?.first ?? 0
        try file.seek(toOffset: 5_000)
        try file.write(contentsOf: [byte ^ 1])
      }
      let error = #expect(throws: LockError.self) { try lock.lock(with: passphrase) }
      guard case .notReadBack = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(try bench.lock.place.state() == .unlocked(hasLockedFile: hasOlder))
      #expect(FileManager.default.contents(atPath: bench.lockedPath) == older)
      #expect(try bench.names().allSatisfy { !$0.hasPrefix("store.sqlite.age.roqua-") })
      #expect(try bench.contents() == before)
    }

    @Test func `two processes do not unlock and lock at once`() throws {
      let bench = try LockBench()
      try bench.makeStore(rows: 6)
      try bench.lock.lock(with: passphrase)
      var lock = bench.lock
      let other = bench.lock
      let outcomes = Mutex<[String]>([])
      lock.willChange = { step in
        guard step == .placeStore else { return }
        for change in [
          { _ = try other.lock(with: LockBench.passphrase) },
          { _ = try other.unlock(with: LockBench.passphrase) },
        ] {
          do { try change() } catch { outcomes.withLock { $0.append("\(error)") } }
        }
      }
      try lock.unlock(with: passphrase)
      let inUse = LockError.inUse(path: bench.path).description
      #expect(outcomes.withLock { $0 } == [inUse, inUse])
    }
  }
#endif
