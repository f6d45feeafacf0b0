import ByteStreams
import Foundation
import GeoStore
import Synchronization

/// Cleans up when a signal ends the program: removes partial files, and writes a line about the
/// state.
///
/// A signal that cannot be caught leaves the partial file, whose name ends in six letters.
struct SignalCleanup: InterruptHandler {
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
  /// The lines that the handler writes, by ``ChangeStep``.
  ///
  /// `nonisolated(unsafe)`: allocated once, and written before the handler is set, which only reads
  /// it.
  nonisolated(unsafe) private static let lines = {
    let lines = UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>.allocate(
      capacity: ChangeStep.allCases.count)
    lines.initialize(
      repeating: UnsafeBufferPointer(start: nil, count: 0), count: ChangeStep.allCases.count)
    return lines
  }()
  private static let step = Atomic(ChangeStep.working.rawValue)
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// The address of the work that the first signal cancels instead of ending the program; 0 if
  /// there is none.
  private static let cancellation = Atomic<UInt>(0)
  /// The number of the signal that canceled the work; 0 before.
  private static let caught = Atomic<Int32>(0)
  /// When that was, in nanoseconds of the monotonic clock.
  private static let caughtTime = Atomic<UInt64>(0)
  /// The time after the first signal in which others are the same one, in nanoseconds: half a
  /// second. `timeout` signals the program and then its whole group, and a terminal that closes
  /// sends more than one.
  private static let repeatNanoseconds: UInt64 = 500_000_000
  /// Seconds that canceled work has to end; then the signal ends the program.
  private static let patience = Atomic<UInt32>(3)

  /// The signal that canceled the work, if one did.
  static var caughtSignal: Int32? {
    let number = caught.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Makes the first signal from now on cancel some work instead of ending the program. The second
  /// one ends it, unless it comes within half a second; so does the first if the work has not ended
  /// some seconds later.
  static func cancelFirst(_ work: Cancellation, patienceSeconds: UInt32) {
    // Sound: retained here and never released, since the handler may use it until the program ends.
    let pointer = Unmanaged.passRetained(work).toOpaque()
    caught.store(0, ordering: .releasing)
    caughtTime.store(0, ordering: .releasing)
    patience.store(patienceSeconds, ordering: .releasing)
    cancellation.store(UInt(bitPattern: pointer), ordering: .releasing)
    signal(SIGALRM, handler)
  }

  /// Ends the program as a signal would that nobody handles.
  static func end(bySignal number: Int32) -> Never {
    signal(number, SIG_DFL)
    raise(number)
    // Only if the signal is blocked: the status that shells report for it.
    exit(128 + number)
  }

  /// Handles the signals that end a program, unless they are ignored: removes partial files, writes
  /// a line to standard error, and ends the program as the signal would.
  ///
  /// - Parameter line: the line for each step, with its end; an empty one is not written.
  static func install(saying line: (ChangeStep) -> String = { _ in "" }) {
    // Allocated now, because a handler must not allocate.
    _ = paths
    for step in ChangeStep.allCases {
      let bytes = Array(line(step).utf8)
      // Sound: never freed, since the handler may read it until the program ends.
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      lines[step.rawValue] = UnsafeBufferPointer(copy)
    }
    step.store(ChangeStep.working.rawValue, ordering: .releasing)
    InterruptHook.install(SignalCleanup())
    for number in signals {
      // Ignored signals, as under nohup, stay ignored. Both casts compare function pointers by
      // their bits.
      // Sound: a C function pointer has the size of an `Int`.
      let before = unsafeBitCast(signal(number, handler), to: Int.self)
      if before == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }

  /// Nanoseconds of the monotonic clock.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Only what signal-safety(7) allows: atomic variables, `clock_gettime`, `alarm`, `unlink`,
  /// `rmdir`, `write`, `signal`, `raise`.
  private static let handler: @convention(c) (Int32) -> Void = { number in
    let address = SignalCleanup.cancellation.load(ordering: .acquiring)
    if number != SIGALRM, let work = UnsafeRawPointer(bitPattern: address) {
      let first = SignalCleanup.caught.compareExchange(
        expected: 0, desired: number, ordering: .acquiringAndReleasing)
      let now = SignalCleanup.now()
      if first.exchanged {
        SignalCleanup.caughtTime.store(now, ordering: .releasing)
        // Sound: the pointer holds a reference that is never released.
        Unmanaged<Cancellation>.fromOpaque(work)._withUnsafeGuaranteedRef { $0.cancel() }
        alarm(SignalCleanup.patience.load(ordering: .acquiring))
        return
      }
      let caughtTime = SignalCleanup.caughtTime.load(ordering: .acquiring)
      if caughtTime == 0 || now < caughtTime &+ SignalCleanup.repeatNanoseconds { return }
    }
    let caught = SignalCleanup.caught.load(ordering: .acquiring)
    let number = number == SIGALRM && caught != 0 ? caught : number
    // Folders after the files in them.
    for index in 0..<SignalCleanup.pathCapacity {
      if let path = SignalCleanup.paths[index].load(ordering: .acquiring) { unlink(path) }
    }
    for index in 0..<SignalCleanup.pathCapacity {
      if let path = SignalCleanup.paths[index].load(ordering: .acquiring) { rmdir(path) }
    }
    let line = SignalCleanup.lines[SignalCleanup.step.load(ordering: .acquiring)]
    if line.count > 0 { _ = write(STDERR_FILENO, line.baseAddress, line.count) }
    signal(number, SIG_DFL)
    raise(number)
  }

  func deferSignals(_ body: () -> Void) {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in Self.signals { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    body()
    let code = errno
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
  }

  func add(partialFile path: String) {
    let path = Array(path.utf8CString)
    // Never freed once published: see `paths`.
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: path.count)
    copy.initialize(from: path, count: path.count)
    for index in 0..<Self.pathCapacity
    where Self.paths[index].compareExchange(
      expected: nil, desired: copy, ordering: .acquiringAndReleasing
    )
    .exchanged {
      return
    }
    copy.deallocate()
  }

  func drop(partialFile path: String) {
    for index in 0..<Self.pathCapacity {
      guard let known = Self.paths[index].load(ordering: .acquiring), strcmp(known, path) == 0
      else { continue }
      Self.paths[index].store(nil, ordering: .releasing)
    }
  }

  func reach(_ step: ChangeStep) {
    Self.step.store(step.rawValue, ordering: .releasing)
  }
}
