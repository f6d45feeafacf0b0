/// The highest and lowest positions of a track, and when it first was in each step of height.
///
/// Steps of 50 m are enough to date achievements, and there are at most 190 of them.
package struct HeightProfile: Hashable, Sendable {
  /// The height of a step in meters.
  package static let stepMeters = 50.0
  /// Heights above sea level that count: from below the Dead Sea to above Mount Everest. Receivers
  /// report other values by mistake.
  package static let plausibleMeters = -500.0...9_000.0

  /// The greatest and the smallest height in meters; nil if no fix has one.
  package private(set) var highestMeters: Double?
  package private(set) var lowestMeters: Double?
  /// The first time in each step, by its number: step 2 is from 100 m up to 150 m.
  private var firstTimes: [Int: Int64] = [:]
  private var last: (step: Int, time: Int64) = (.max, .max)

  /// Creates an empty profile.
  package init() {}

  /// Adds a kept fix.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  package mutating func take(_ meters: Double?, at time: Timestamp?) {
    guard let meters, Self.plausibleMeters.contains(meters) else { return }
    if meters > highestMeters ?? -.infinity { highestMeters = meters }
    if meters < lowestMeters ?? .infinity { lowestMeters = meters }
    guard let time = time?.millisecondsSince1970 else { return }
    let step = Int((meters / Self.stepMeters).rounded(.down))
    // Most fixes follow one of the same step.
    if step == last.step, time >= last.time { return }
    let first = min(time, firstTimes[step] ?? time)
    firstTimes[step] = first
    last = (step, first)
  }

  /// The first time at this height or above it; nil if there is none.
  ///
  /// - Precondition: a multiple of ``stepMeters``.
  package func firstTime(at meters: Double) -> Timestamp? {
    let step = Int(meters / Self.stepMeters)
    return time(firstTimes.lazy.filter { $0.key >= step }.map(\.value).min())
  }

  /// The first time below this height; nil if there is none.
  ///
  /// - Precondition: a multiple of ``stepMeters``.
  package func firstTime(below meters: Double) -> Timestamp? {
    let step = Int(meters / Self.stepMeters)
    return time(firstTimes.lazy.filter { $0.key < step }.map(\.value).min())
  }

  private func time(_ milliseconds: Int64?) -> Timestamp? {
    milliseconds.map(Timestamp.init(millisecondsSince1970:))
  }

  package static func == (left: Self, right: Self) -> Bool {
    (left.highestMeters, left.lowestMeters, left.firstTimes)
      == (right.highestMeters, right.lowestMeters, right.firstTimes)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(highestMeters)
    hasher.combine(lowestMeters)
    hasher.combine(firstTimes)
  }
}

extension HeightProfile {
  /// The first times as text: `step:milliseconds`, ordered by step, separated by commas.
  package var steps: String {
    firstTimes.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
  }

  /// Reads a profile from its parts; nil if they contradict each other.
  package init?(highestMeters: Double?, lowestMeters: Double?, steps: String) {
    guard (highestMeters == nil) == (lowestMeters == nil) else { return nil }
    self.highestMeters = highestMeters
    self.lowestMeters = lowestMeters
    guard let highestMeters, let lowestMeters else {
      if steps.isEmpty { return } else { return nil }
    }
    guard lowestMeters <= highestMeters, Self.plausibleMeters.contains(lowestMeters),
      Self.plausibleMeters.contains(highestMeters)
    else { return nil }
    let known =
      Int(
        (lowestMeters / Self.stepMeters).rounded(
          .down))...Int((highestMeters / Self.stepMeters).rounded(.down))
    for part in steps.split(separator: ",", omittingEmptySubsequences: false)
    where !steps.isEmpty {
      let numbers = part.split(separator: ":", omittingEmptySubsequences: false)
      guard numbers.count == 2, let step = Int(numbers[0]), let time = Int64(numbers[1]),
        known.contains(step),
        Timestamp.writable.contains(Timestamp(millisecondsSince1970: time)),
        firstTimes.updateValue(time, forKey: step) == nil
      else { return nil }
    }
  }
}
