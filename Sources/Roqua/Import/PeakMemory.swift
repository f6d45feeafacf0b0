import Foundation

enum ProcessUsage {
  /// The most memory that this process has held so far, in bytes.
  ///
  /// - Source: on Linux `VmHWM` of `/proc/self/status` (proc(5)): `ru_maxrss` begins with what the process held that
  ///   started this one. Elsewhere, and where there is no `/proc`, `ru_maxrss` (in KiB on Linux).
  static var peakMemoryBytes: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      if let peak = highWaterMark { return peak }
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1_024
    #endif
  }

  #if !canImport(Darwin)
    /// `VmHWM:    24268 kB`, in bytes.
    private static var highWaterMark: Int? {
      guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
      return number.map { $0 * 1_024 }
    }
  #endif
}
