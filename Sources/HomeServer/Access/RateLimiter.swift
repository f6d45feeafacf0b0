/// Limits how often each of many keys may do something: a bucket for each that fills at a rate. A
/// pure state machine; the caller passes the time.
package struct RateLimiter: Sendable {
  private struct Bucket {
    var level: Double
    var time: Double
  }

  /// Units that a key gets back in a second.
  package let perSecond: Double
  /// Units that a key can have at most.
  package let burst: Double
  private var buckets: [String: Bucket] = [:]

  /// The maximum number of keys in memory. Beyond it, keys that are full again are dropped, and
  /// then all: an attacker with many addresses gets new ones anyway.
  package static let maximumKeys = 10_000

  /// Creates a limiter whose keys are all full.
  package init(perSecond: Double, burst: Double) {
    (self.perSecond, self.burst) = (perSecond, burst)
  }

  /// Takes a unit of a key; false if it has none left.
  ///
  /// - Parameter seconds: a time that does not run backwards.
  /// - Complexity: O(1), amortized.
  package mutating func take(_ key: String, at seconds: Double) -> Bool {
    var level = self.level(of: key, at: seconds)
    let isTaken = level >= 1
    if isTaken { level -= 1 }
    if buckets[key] == nil, buckets.count >= Self.maximumKeys {
      buckets = buckets.filter { self.level(of: $0.key, at: seconds) < burst }
      if buckets.count >= Self.maximumKeys { buckets = [:] }
    }
    buckets[key] = Bucket(level: level, time: seconds)
    return isTaken
  }

  private func level(of key: String, at seconds: Double) -> Double {
    guard let bucket = buckets[key] else { return burst }
    return min(burst, bucket.level + max(0, seconds - bucket.time) * perSecond)
  }

  /// The number of keys in memory.
  package var keyCount: Int { buckets.count }
}
