import Foundation
@_exported import SeededRandom

/// Seeds of tests that try random inputs.
public enum Seeds {
  /// Returns the seeds 1 to `count`: small numbers are easy to read in a failure.
  public static func sample(_ count: UInt64) -> [UInt64] { Array(1...count) }

  /// Returns the seeds 1 to `count`; 1 to `whole` if the environment variable `ROQUA_WHOLE_SAMPLES`
  /// is set, as `make torture` does. For tests that take minutes with all seeds.
  public static func sample(_ count: UInt64, of whole: UInt64) -> [UInt64] {
    sample(ProcessInfo.processInfo.environment["ROQUA_WHOLE_SAMPLES"] == nil ? count : whole)
  }
}
