import Foundation

/// The resources that this process has used.
package enum ProcessUsage {
  /// The peak memory of this process so far, in bytes.
  ///
  /// - Source: on Linux `VmHWM` of `/proc/self/status` (proc(5)), because `ru_maxrss` includes what
  ///   the parent process held when it started this one. Elsewhere, and without `/proc`,
  ///   `ru_maxrss` (in KiB on Linux).
  package static var peakMemoryBytes: Int {
    #if !canImport(Darwin)
      if let peak = highWaterMark { return peak }
    #endif
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1_024
    #endif
  }

  #if !canImport(Darwin)
    /// `VmHWM:    24268 kB`, in bytes.
    private static var highWaterMark: Int? {
      guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
        return nil
      }
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
      return number.flatMap { Int($0) }.map { $0 * 1_024 }
    }
  #endif
}
