import Synchronization

/// Counts how far long work on a store is: a check, a rebuild, a deletion, a copy. Can be read from
/// any thread.
///
/// The work reports to the meter of its thread, ``current``, if there is one.
///
/// ```swift
/// func check(_ store: Store, with meter: WorkMeter) throws -> StoreCheck {
///   try WorkMeter.$current.withValue(meter) { try store.check() }
/// }
/// ```
package final class WorkMeter: Sendable {
  /// The meter that work on this thread reports to; nil for none.
  @TaskLocal package static var current: WorkMeter?

  /// A part of the work.
  package enum Phase: Hashable, Sendable {
    /// A check of this subject, by its name in the report.
    case checking(String)
    /// A search for the fixes to delete, in chunks of kept fixes.
    case searching
    /// A rebuild of regions, visits and coverage, in chunks of kept fixes.
    case rebuilding
    /// Erasure of deleted data from the file.
    case erasing
    /// Reading what is to be adopted, in rows or entries.
    case adopting
    /// Reading the files of other devices.
    case readingFiles
    /// Writing files for other devices.
    case writingFiles
    /// Sending rows to a database for many people, in tables.
    case pushing
    /// A copy of the store, in pages.
    case copying
    /// Counting what is explored and visited.
    case counting
    /// An export of regions.
    case exportingRegions
    /// An export of coverage tiles.
    case exportingTiles
    /// An export of a layer, in features.
    case exporting
    /// Drawing a map page or a picture; a film in frames.
    case drawing
    /// Drawing and writing map tiles, in tiles.
    case writingTiles
  }

  /// The progress at one moment.
  package struct Reading: Sendable {
    /// The present phase.
    package let phase: Phase
    /// When it began.
    package let start: ContinuousClock.Instant
    /// How much of it is done.
    package fileprivate(set) var done = 0
    /// How much there is to do; nil if that is not known.
    package fileprivate(set) var total: Int?
  }

  private let state = Mutex<Reading?>(nil)
  private let onChange: (@Sendable (Reading) -> Void)?

  /// Creates a meter for work that has not started.
  ///
  /// - Parameter onChange: called on the thread of the work after each change; nil for a meter that
  ///   is only read.
  package init(onChange: (@Sendable (Reading) -> Void)? = nil) { self.onChange = onChange }

  /// The present progress; nil before the work has begun.
  package var reading: Reading? { state.withLock { $0 } }

  /// Begins a phase.
  ///
  /// - Parameter total: how much there is to do; nil if that is not known.
  package func begin(_ phase: Phase, of total: Int? = nil) {
    state.withLock { $0 = Reading(phase: phase, start: .now, total: total) }
    announce()
  }

  /// Counts something as done.
  package func add(_ count: Int) {
    state.withLock { $0?.done += count }
    announce()
  }

  /// Sets how much of a phase is done, and begins it if it is not the present one.
  package func set(_ phase: Phase, _ done: Int, of total: Int) {
    state.withLock { reading in
      if reading?.phase != phase { reading = Reading(phase: phase, start: .now) }
      reading?.done = done
      reading?.total = total
    }
    announce()
  }

  private func announce() {
    if let onChange, let reading { onChange(reading) }
  }
}
