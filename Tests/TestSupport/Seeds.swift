import Foundation
@_exported import SeededRandom

/// Seeds of tests that try random inputs.
public enum Seeds {
  /// Returns the seeds 1 to `count`: small numbers are easy to read in a failure. If the
  /// environment variable `ROQUA_SEED_SHARE` is a number n above 1, as in CI, the first of n equal
  /// shares of them, but at least two.
  public static func sample(_ count: UInt64) -> [UInt64] {
    Array(1...max(count / share, min(count, 2)))
  }

  /// Returns the seeds 1 to `count`, or a share of them; 1 to `whole` if the environment variable
  /// `ROQUA_WHOLE_SAMPLES` is set, as `make torture` does. For tests that take minutes with all
  /// seeds.
  public static func sample(_ count: UInt64, of whole: UInt64) -> [UInt64] {
    ProcessInfo.processInfo.environment["ROQUA_WHOLE_SAMPLES"] == nil
      ? sample(count) : Array(1...whole)
  }

  /// Returns the elements of a list; if `ROQUA_SEED_SHARE` is n, every n-th of them, beginning with
  /// the first. For tests that take minutes with all of them.
  public static func share<Element>(of list: [Element]) -> [Element] {
    stride(from: 0, to: list.count, by: Int(share)).map { list[$0] }
  }

  /// The number in `ROQUA_SEED_SHARE`; 1 without one.
  private static var share: UInt64 {
    max(UInt64(ProcessInfo.processInfo.environment["ROQUA_SEED_SHARE"] ?? "") ?? 1, 1)
  }
}
