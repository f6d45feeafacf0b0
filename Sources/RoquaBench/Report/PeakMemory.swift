import Foundation

/// The most memory that this process has held.
enum PeakMemory {
  /// In bytes (`ru_maxrss`, which Linux counts in KiB, and where it counts what the process held that started this one).
  static var bytes: Int {
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
