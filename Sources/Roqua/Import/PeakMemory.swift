import Foundation

enum ProcessUsage {
  /// The most memory that this process has held so far, in bytes (`ru_maxrss`, which Linux counts in KiB).
  static var peakMemoryBytes: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1_024
    #endif
  }
}
