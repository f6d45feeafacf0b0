import Foundation
import Synchronization

/// Cleans up when a signal ends the program: removes partial files, and writes a line about the
/// state.
///
/// For a command line tool: an app has handlers of its own, so nothing happens before
/// ``install(saying:)`` is called. A signal that cannot be caught leaves the partial file, whose
/// name ends in six letters.
package enum InterruptCleanup {
  /// The progress of an atomic change.
  package enum Step: Int, CaseIterable, Sendable {
    /// Nothing is visible yet.
    case working
    /// A transaction ended, or a file has its name: the change is committed.
    case committed
    /// The deleted data is erased from the files, too.
    case erased
  }

  /// The paths of partial files and of folders for them, as C strings. A handler on another thread
  /// may read a path at any time, so its memory is never freed.
  ///
  /// `nonisolated(unsafe)`: the pointer is set once, and its elements are atomic.
  nonisolated(unsafe) private static let paths = {
    let slots = UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>>.allocate(
      capacity: pathCapacity)
    for index in 0..<pathCapacity { (slots + index).initialize(to: Atomic(nil)) }
    return slots
  }()
  /// An adopted database needs five, a copy or an export one. Files beyond the capacity are not
  /// removed.
  private static let pathCapacity = 16
  /// The lines that the handler writes, by ``Step``.
  ///
  /// `nonisolated(unsafe)`: allocated once, and written before the handler is set, which only reads
  /// it.
  nonisolated(unsafe) private static let lines = {
    let lines = UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>.allocate(
      capacity: Step.allCases.count)
    lines.initialize(
      repeating: UnsafeBufferPointer(start: nil, count: 0), count: Step.allCases.count)
    return lines
  }()
  private static let step = Atomic(Step.working.rawValue)
  private static let isInstalled = Atomic(false)
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Handles the signals that end a program, unless they are ignored: removes partial files, writes
  /// a line to standard error, and ends the program as the signal would.
  ///
  /// - Parameter line: the line for each step, with its end; an empty one is not written.
  package static func install(saying line: (Step) -> String = { _ in "" }) {
    // Allocated now, because a handler must not allocate.
    _ = paths
    for step in Step.allCases {
      let bytes = Array(line(step).utf8)
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      lines[step.rawValue] = UnsafeBufferPointer(copy)
    }
    step.store(Step.working.rawValue, ordering: .releasing)
    isInstalled.store(true, ordering: .releasing)
    for number in signals {
      // Ignored signals, as under nohup, stay ignored. Both casts compare function pointers by
      // their bits.
      let before = unsafeBitCast(signal(number, handler), to: Int.self)
      if before == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }

  /// Only what signal-safety(7) allows: `unlink`, `rmdir`, `write`, `signal`, `raise`.
  private static let handler: @convention(c) (Int32) -> Void = { number in
    // Folders after the files in them.
    for index in 0..<InterruptCleanup.pathCapacity {
      if let path = InterruptCleanup.paths[index].load(ordering: .acquiring) { unlink(path) }
    }
    for index in 0..<InterruptCleanup.pathCapacity {
      if let path = InterruptCleanup.paths[index].load(ordering: .acquiring) { rmdir(path) }
    }
    let line = InterruptCleanup.lines[InterruptCleanup.step.load(ordering: .acquiring)]
    if line.count > 0 { _ = write(STDERR_FILENO, line.baseAddress, line.count) }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Creates a file that only its owner may read and write. Its descriptor is negative if that
  /// fails, and `errno` has the reason.
  ///
  /// - Parameters:
  ///   - beginning: its path before six letters.
  ///   - ending: its path after them.
  package static func makeFile(_ beginning: String, ending: String) -> (
    descriptor: Int32, path: String?
  ) {
    var template = Array((beginning + "XXXXXX" + ending).utf8CString)
    return blockingSignals {
      let descriptor = mkstemps(&template, Int32(ending.utf8.count))  // mode 0600
      guard descriptor >= 0 else { return (descriptor, nil) }
      add(template)
      return (descriptor, string(template))
    }
  }

  /// Creates a folder that only its owner may use; nil if that fails, with the reason in `errno`.
  ///
  /// - Parameters:
  ///   - beginning: its path before the last six letters.
  ///   - names: the files that may be created in it, which are removed with it.
  package static func makeFolder(_ beginning: String, for names: [String]) -> String? {
    var template = Array((beginning + "XXXXXX").utf8CString)
    return blockingSignals {
      guard mkdtemp(&template) != nil else { return nil }  // mode 0700
      add(template)
      let folder = string(template)
      for name in names { add(Array((folder + "/" + name).utf8CString)) }
      return folder
    }
  }

  /// Gives such a file its name, which commits the change.
  ///
  /// - Parameter place: renames it; false if that fails, with the reason in `errno`.
  package static func place(_ partialPath: String, _ place: () -> Bool) -> Bool {
    blockingSignals {
      guard place() else { return false }
      drop(partialPath)
      step.store(Step.committed.rawValue, ordering: .releasing)
      return true
    }
  }

  /// Removes such a file.
  package static func remove(_ partialPath: String) {
    blockingSignals {
      unlink(partialPath)
      drop(partialPath)
    }
  }

  /// Removes such a folder with its files.
  package static func removeFolder(_ path: String, with names: [String]) {
    blockingSignals {
      for name in names { unlink(path + "/" + name) }
      rmdir(path)
      for name in names { drop(path + "/" + name) }
      drop(path)
    }
  }

  /// Whether signals are handled; if not, ``reach(_:_:)`` only runs its body.
  package static var isActive: Bool { isInstalled.load(ordering: .acquiring) }

  /// Runs the code that brings a change to a step; a signal during it is handled after it.
  ///
  /// - Throws: what `body` throws.
  package static func reach<T, Failure: Error>(
    _ reached: Step, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    guard isInstalled.load(ordering: .acquiring) else { return try body() }
    let result = blockingSignals { () -> Result<T, Failure> in
      let result = Result { () throws(Failure) in try body() }
      if case .success = result { step.store(reached.rawValue, ordering: .releasing) }
      return result
    }
    return try result.get()
  }

  private static func add(_ path: [CChar]) {
    guard isInstalled.load(ordering: .acquiring) else { return }
    // Never freed once published: see `paths`.
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: path.count)
    copy.initialize(from: path, count: path.count)
    for index in 0..<pathCapacity
    where paths[index].compareExchange(
      expected: nil, desired: copy, ordering: .acquiringAndReleasing
    )
    .exchanged {
      return
    }
    copy.deallocate()
  }

  private static func drop(_ path: String) {
    guard isInstalled.load(ordering: .acquiring) else { return }
    for index in 0..<pathCapacity {
      guard let known = paths[index].load(ordering: .acquiring), strcmp(known, path) == 0 else {
        continue
      }
      paths[index].store(nil, ordering: .releasing)
    }
  }

  private static func string(_ path: [CChar]) -> String {
    String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func blockingSignals<Result>(_ body: () -> Result) -> Result {
    guard isInstalled.load(ordering: .acquiring) else { return body() }
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in signals { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let result = body()
    let code = errno
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return result
  }
}
