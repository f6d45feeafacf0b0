import Foundation
import GeoStore
import Roqua
import Synchronization

/// Where a recording shows what happens. No output may hold the recording up.
protocol LiveOutput: AnyObject, Sendable {
  /// True if lines of events are wanted.
  var takesEvents: Bool { get }
  /// True once nobody reads the output any more.
  var isClosed: Bool { get }
  /// Prints lines of events.
  func print(_ lines: [JSONValue])
  /// Shows a state.
  func update(_ state: LiveState)
  /// Ends the output: what was printed is written.
  func end()
}

/// No output.
final class LiveNoOutput: LiveOutput {
  var takesEvents: Bool { false }
  var isClosed: Bool { false }
  func print(_ lines: [JSONValue]) {}
  func update(_ state: LiveState) {}
  func end() {}
}

/// Lines of JSON on standard output, written by their own thread as soon as they are there.
///
/// If nobody reads them, up to ``capacity`` bytes wait. Then the lines of a receiver are left out,
/// and one line says how many; those of a file wait for the reader.
final class LiveLineOutput: LiveOutput {
  /// The most bytes that wait.
  static let capacity = 1 << 20

  private struct Waiting {
    var text = ""
    var leftOut = 0
    var isEnded = false
    var isClosed = false
    var isWriting = false
  }

  private let waitsForReader: Bool
  private let condition = NSCondition()
  /// `nonisolated(unsafe)`: used only while the condition is locked.
  nonisolated(unsafe) private var waiting = Waiting()
  private let descriptor: Int32

  init(waitsForReader: Bool, descriptor: Int32 = STDOUT_FILENO) {
    self.waitsForReader = waitsForReader
    self.descriptor = descriptor
    let thread = Thread { [self] in run() }
    thread.name = "Roqua events"
    thread.start()
  }

  var takesEvents: Bool { true }
  var isClosed: Bool { condition.withLock { waiting.isClosed } }
  func update(_ state: LiveState) {}

  func print(_ lines: [JSONValue]) {
    var text = ""
    for line in lines {
      line.write(to: &text)
      text += "\n"
    }
    condition.lock()
    defer { condition.unlock() }
    while waitsForReader, !waiting.isClosed, waiting.text.utf8.count > Self.capacity {
      condition.wait()
    }
    if waiting.text.utf8.count > Self.capacity {
      waiting.leftOut += lines.count
      return
    }
    if waiting.leftOut > 0 {
      waiting.text += #"{"event":"leftOut","events":\#(waiting.leftOut)}"# + "\n"
      waiting.leftOut = 0
    }
    waiting.text += text
    condition.broadcast()
  }

  /// The time in seconds that a reader has to read the last lines.
  private static let patienceSeconds = 2.0

  func end() {
    let deadline = Date(timeIntervalSinceNow: Self.patienceSeconds)
    condition.lock()
    defer { condition.unlock() }
    waiting.isEnded = true
    condition.broadcast()
    while !waiting.isClosed, waiting.isWriting || !waiting.text.isEmpty {
      guard waitsForReader || condition.wait(until: deadline) else { return }
      if waitsForReader { condition.wait() }
    }
  }

  private func run() {
    condition.lock()
    defer { condition.unlock() }
    while true {
      while waiting.text.isEmpty {
        if waiting.isEnded || waiting.isClosed { return }
        condition.wait()
      }
      var text = ""
      swap(&text, &waiting.text)
      waiting.isWriting = true
      condition.broadcast()
      condition.unlock()
      let isWritten = Self.write(text, to: descriptor)
      condition.lock()
      waiting.isWriting = false
      if !isWritten { (waiting.isClosed, waiting.text) = (true, "") }
      condition.broadcast()
    }
  }

  /// Writes a text.
  ///
  /// - Returns: false if nobody reads it, or it cannot be written.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let count = Foundation.write(descriptor, base, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return false
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
      return true
    }
  }
}

/// The screen on a terminal, drawn by its own thread: a stopped terminal (Ctrl-S) stops only that.
final class LiveScreenOutput: LiveOutput {
  /// The time between two states of the screen in seconds.
  private static let intervalSeconds = 0.2
  /// The time in seconds that a stopped terminal has to be restored at the end.
  private static let patienceSeconds = 1.0

  private struct Shared {
    var state: LiveState?
    var earlierToday: (cells: Int, areaSquareKilometers: Double)?
    var isEnded = false
    var isClosed = false
  }

  private let shared = Mutex(Shared())
  private let done = DispatchSemaphore(value: 0)

  init(_ explorer: Explorer) {
    Thread.detachNewThread { [self] in
      // Takes a while on a large store.
      let today = Self.exploredToday(explorer)
      shared.withLock { $0.earlierToday = today }
    }
    Thread.detachNewThread { [self] in draw() }
  }

  var takesEvents: Bool { false }
  var isClosed: Bool { shared.withLock { $0.isClosed } }
  func print(_ lines: [JSONValue]) {}
  func update(_ state: LiveState) { shared.withLock { $0.state = state } }

  func end() {
    shared.withLock { $0.isEnded = true }
    _ = done.wait(timeout: .now() + Self.patienceSeconds)
  }

  /// What was first explored since local midnight.
  private static func exploredToday(
    _ explorer: Explorer
  ) -> (cells: Int, areaSquareKilometers: Double)? {
    var query = CoverageQuery()
    let now = Date()
    query.selection.times = Timestamp(Calendar.current.startOfDay(for: now))...Timestamp(now)
    do {
      let report = try explorer.coverageReport(query)
      return (report.cells, report.areaSquareKilometers)
    } catch DatabaseError.missing {
      return (0, 0)
    } catch {
      return nil
    }
  }

  private func draw() {
    var terminal = LiveTerminal()
    terminal.enter()
    while true {
      let (state, isEnded) = shared.withLock { shared in
        var state = shared.state
        if state?.earlierToday == nil { state?.earlierToday = shared.earlierToday }
        return (state, shared.isEnded)
      }
      if isEnded { break }
      if let state, !terminal.show(state, at: LiveRecorder.now()) {
        shared.withLock { $0.isClosed = true }
        break
      }
      Thread.sleep(forTimeInterval: Self.intervalSeconds)
    }
    terminal.leave()
    done.signal()
  }
}
