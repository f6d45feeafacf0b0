/// Pairs the times and positions of a track: the n-th `when` belongs to the n-th `coord`, in
/// whatever order they come.
///
/// What comes first waits for the other, up to ``KMLLimits``. Beyond them, positions have no time,
/// and all others keep theirs.
struct KMLPairing {
  /// What a time or position led to.
  enum Outcome {
    /// It waits.
    case waiting
    /// A position is complete.
    case complete(KMLPosition, time: Int64?)
    /// A limit is reached: there is a position without a time, if any.
    case limited(KMLPosition?)
  }

  private var times = KMLTimeQueue()
  /// Times that were not remembered, after those in ``times``.
  private var forgottenTimes = 0
  private var positions: [KMLPosition] = []
  /// The index of the first position that waits.
  private var firstPosition = 0
  /// Positions that were reported without waiting for their times, before those in ``positions``.
  private var reportedPositions = 0
  /// The only time that waits: most files alternate.
  private var loneTime: Int64?
  private var hasLoneTime = false
  /// True if there was a time.
  private(set) var hasTimes = false

  /// The number of times that wait.
  var waitingTimes: Int { times.count + forgottenTimes + (hasLoneTime ? 1 : 0) }

  private var hasPositions: Bool { firstPosition < positions.count }

  /// Takes the next time, in milliseconds since 1970; nil for one that is missing or impossible.
  @inline(__always)
  mutating func take(time: Int64?) -> Outcome {
    hasTimes = true
    if reportedPositions == 0, !hasPositions, waitingTimes == 0 {
      (loneTime, hasLoneTime) = (time, true)
      return .waiting
    }
    return takeLater(time: time)
  }

  /// Takes the next position.
  @inline(__always)
  mutating func take(_ position: KMLPosition) -> Outcome {
    if hasLoneTime {
      hasLoneTime = false
      return .complete(position, time: loneTime)
    }
    if times.count > 0 { return .complete(position, time: times.removeFirst()) }
    return takeLater(position)
  }

  /// Returns the next position whose time never came; nil if there is none.
  mutating func takeWaitingPosition() -> KMLPosition? {
    guard hasPositions else { return nil }
    return removePosition()
  }

  private mutating func takeLater(time: Int64?) -> Outcome {
    if reportedPositions > 0 {
      reportedPositions -= 1
      return .waiting
    }
    if hasPositions { return .complete(removePosition(), time: time) }
    if hasLoneTime {
      hasLoneTime = false
      times.append(loneTime)
    }
    guard forgottenTimes == 0, !times.isFull else {
      forgottenTimes += 1
      return .limited(nil)
    }
    times.append(time)
    return .waiting
  }

  private mutating func takeLater(_ position: KMLPosition) -> Outcome {
    if forgottenTimes > 0 {
      forgottenTimes -= 1
      return .complete(position, time: nil)
    }
    positions.append(position)
    guard positions.count - firstPosition > KMLLimits.positions else { return .waiting }
    reportedPositions += 1
    return .limited(removePosition())
  }

  private mutating func removePosition() -> KMLPosition {
    let position = positions[firstPosition]
    firstPosition += 1
    // Half of the memory or all of it is free.
    if firstPosition == positions.count {
      positions.removeAll(keepingCapacity: firstPosition <= 1024)
      firstPosition = 0
    } else if firstPosition >= KMLLimits.positions / 2 {
      positions.removeFirst(firstPosition)
      firstPosition = 0
    }
    return position
  }
}
