import Foundation

/// Times of one kind of work, in seconds.
public struct Sample: Sendable {
  /// In ascending order; at least one.
  public let seconds: [Double]

  /// A sample of some times; without any, of one that is not a number.
  public init(_ seconds: [Double]) { self.seconds = seconds.isEmpty ? [.nan] : seconds.sorted() }

  /// The time that as many are below as above.
  public var median: Double { quantile(0.5) }
  /// The time that 95 % are not above.
  public var p95: Double { quantile(0.95) }
  /// The time that 99 % are not above.
  public var p99: Double { quantile(0.99) }

  /// The time that a share of them, 0...1, is not above: the nearest rank.
  public func quantile(_ share: Double) -> Double {
    let rank = Int((share * Double(seconds.count)).rounded(.up))
    return seconds[min(seconds.count - 1, max(0, rank - 1))]
  }
}

/// Clocks of this machine.
public enum Clock {
  /// Seconds of processor time that this thread has used: other work on the machine counts less than on a wall clock.
  public static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds that some work takes on the wall clock.
  public static func wallSeconds<T>(_ body: () throws -> T) rethrows -> (seconds: Double, result: T) {
    let start = ContinuousClock.now
    let result = try body()
    return ((ContinuousClock.now - start) / .seconds(1), result)
  }
}
