import GeoStore

/// The progress line of long work on a store: what it does, how much of it is done, time left.
enum WorkProgress {
  /// Runs `body`, whose work counts with the meter of its thread, and shows its progress.
  static func showing<T>(_ body: (WorkMeter) throws -> T) rethrows -> T {
    let meter = WorkMeter()
    let line = ProgressLine { _ in meter.reading.map(state) }
    defer { line?.end() }
    return try WorkMeter.$current.withValue(meter) { try body(meter) }
  }

  /// Counts what is explored or visited, with a progress line.
  static func counting<T>(_ body: () throws -> T) rethrows -> T {
    try showing { meter in
      meter.begin(.counting)
      return try body()
    }
  }

  /// `rebuilding regions, 45 %`. Percent and time left are those of the present phase.
  static func state(_ reading: WorkMeter.Reading) -> ProgressLine.State {
    var state = ProgressLine.State(parts: [text(reading.phase)], importance: [0])
    guard let total = reading.total, total > 0 else {
      if reading.done > 0 {
        state.parts.append(Wording.count(reading.done))
        state.importance.append(1)
      }
      return state
    }
    let share = min(1, Double(reading.done) / Double(total))
    state.parts.append("\(Int(share * 100)) %")
    state.importance.append(1)
    (state.share, state.start) = (share, reading.start)
    return state
  }

  private static func text(_ phase: WorkMeter.Phase) -> String {
    switch phase {
    case .checking(let subject):
      StoreCheck.Subject(rawValue: subject).map { "checking \($0.plural)" } ?? "checking"
    case .searching: "searching"
    case .rebuilding: "rebuilding regions"
    case .erasing: "erasing deleted data"
    case .adopting: "reading rows"
    case .readingFiles: "reading files"
    case .writingFiles: "writing files"
    case .pushing: "sending rows"
    case .copying: "copying"
    case .counting: "counting"
    case .exportingRegions: "exporting regions"
    case .exportingTiles: "exporting tiles"
    case .exporting: "exporting"
    case .drawing: "drawing"
    case .writingTiles: "writing tiles"
    }
  }
}

extension StoreCheck.Subject {
  /// What is checked, after `checking`.
  fileprivate var plural: String {
    switch self {
    case .database: "the file"
    case .schema: "tables"
    case .erasure: "deletions"
    default: rawValue
    }
  }
}
