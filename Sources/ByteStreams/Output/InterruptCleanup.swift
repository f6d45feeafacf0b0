import Foundation
import Synchronization

/// What a signal that ends the program leaves behind: no half-written file, and a line that says
/// how things are.
///
/// For a program of one's own, such as the command line tool: an app has handlers of its own, so
/// nothing is done before ``install(saying:)`` is called. A signal that nobody can catch leaves the
/// file, whose name ends in six letters.
package enum InterruptCleanup {
  /// How far a change has come that is made in one go.
  package enum Step: Int, CaseIterable, Sendable {
    /// Nothing of it is to be seen yet.
    case working
    /// A transaction ended, or a file has its name: what was asked for is there.
    case committed
    /// The store's files hold nothing any more of what was taken back.
    case erased
  }

  /// Paths of half-written files and of folders for them, as C has them. A handler may do no more
  /// than read memory, so a path stays there for good once it was here: another thread's handler
  /// may be reading it.
  ///
  /// `nonisolated(unsafe)`: the pointer is set once, what it points to is atomic.
  nonisolated(unsafe) private static let paths = {
    let slots = UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CChar>?>>.allocate(
      capacity: pathCapacity)
    for index in 0..<pathCapacity { (slots + index).initialize(to: Atomic(nil)) }
    return slots
  }()
  /// Of an adopted database there are five, of a copy or an export one. What finds no room is not
  /// removed.
  private static let pathCapacity = 16
  /// What the handler writes, by ``Step``.
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

  /// Handles the signals that end a program, as far as nothing else does: half-written files go, a
  /// line is written to standard error, and the program ends as it would have.
  ///
  /// - Parameter line: the line for each step, with its end; an empty one is not written.
  package static func install(saying line: (Step) -> String = { _ in "" }) {
    // Made now: a handler must not allocate.
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
      // What was ignored, as under nohup, stays ignored.
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

  /// Makes a file that its owner alone may read and write. Its descriptor is negative where that
  /// fails, and `errno` says why.
  ///
  /// - Parameters:
  ///   - beginning: its path up to six letters.
  ///   - ending: what follows them.
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

  /// Makes a folder that its owner alone may use; nil where that fails, as `errno` tells.
  ///
  /// - Parameters:
  ///   - beginning: its path, but for the last six letters.
  ///   - names: the files that may come to lie in it, which go with it.
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

  /// Gives such a file its name, and says from now on that what was asked for is there.
  ///
  /// - Parameter place: does so; false where that fails, as `errno` tells.
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

  /// Whether signals are handled: else ``reach(_:_:)`` only runs its body.
  package static var isActive: Bool { isInstalled.load(ordering: .acquiring) }

  /// Runs what brings a change to a step; a signal that comes meanwhile finds the step that was
  /// reached.
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
