import Foundation

/// Times of one kind of work, in seconds.
package struct Sample: Sendable {
  /// The times in ascending order; at least one.
  package let seconds: [Double]

  /// A sample of these times; without any, of one NaN.
  package init(_ seconds: [Double]) { self.seconds = seconds.isEmpty ? [.nan] : seconds.sorted() }

  /// The mean.
  package var mean: Double { seconds.reduce(0, +) / Double(seconds.count) }
  /// The 50th percentile.
  package var median: Double { quantile(0.5) }
  /// The 95th percentile.
  package var p95: Double { quantile(0.95) }
  /// The 99th percentile.
  package var p99: Double { quantile(0.99) }

  /// The time that a share of the sample, 0...1, does not exceed, by nearest rank.
  package func quantile(_ share: Double) -> Double {
    let rank = Int((share * Double(seconds.count)).rounded(.up))
    return seconds[min(seconds.count - 1, max(0, rank - 1))]
  }
}

/// The clocks that benchmarks read.
package enum Clock {
  /// Seconds of processor time that this thread has used: other work on the machine affects it less
  /// than a wall clock.
  package static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Wall-clock seconds that `body` takes, and its result.
  package static func wallSeconds<T>(_ body: () throws -> T) rethrows -> (
    seconds: Double, result: T
  ) {
    let start = ContinuousClock.now
    let result = try body()
    return ((ContinuousClock.now - start) / .seconds(1), result)
  }
}
