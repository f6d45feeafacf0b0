import Foundation

/// The most memory that the process has had resident.
enum PeakMemory {
  static var megabytes: Double {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      let bytes = Double(usage.ru_maxrss)
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let bytes = Double(usage.ru_maxrss) * 1_024
    #endif
    return bytes / 1e6
  }
}
