import CSQLite
import Foundation
import Geodesy
import Roqua

/// The machine and the versions that a measurement depends on.
package struct MachineDescription: Sendable {
  /// The processor's name.
  package let processor: String
  /// The number of active cores.
  package let cores: Int
  /// The operating system and its version.
  package let system: String
  /// The version of Swift that the tool was compiled with.
  package let swift: String
  /// True if the tool was compiled with optimization; times of a debug build mean nothing.
  package let isOptimized: Bool
  /// The version of the linked SQLite.
  package let sqlite: String
  /// The commit of the checkout that contains the tool; nil if none does.
  package let commit: String?
  /// The time of the measurement.
  package let date: Timestamp
  /// Load average of the last minute; nil where the system does not report it.
  package let load: Double?

  /// This machine, now.
  package static func current() -> MachineDescription {
    MachineDescription(
      processor: processorName(), cores: ProcessInfo.processInfo.activeProcessorCount,
      system: systemName(),
      swift: swiftVersion, isOptimized: isOptimizedBuild(),
      sqlite: String(cString: sqlite3_libversion()),
      commit: CheckoutCommit.ofExecutable(),
      date: Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970) * 1_000),
      load: loadAverage())
  }

  var json: JSONValue {
    [
      "processor": .string(processor), "cores": .integer(cores), "system": .string(system),
      "swift": .string(swift), "optimized": .bool(isOptimized), "sqlite": .string(sqlite),
      "commit": .string(commit), "date": .string(date.iso8601), "load": .number(load),
    ]
  }

  private static func processorName() -> String {
    #if os(macOS)
      var size = 0
      sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
      var name = [UInt8](repeating: 0, count: size)
      if size > 0, sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 {
        return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
    #else
      let lines =
        (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
        ?? []
      for line in lines where line.hasPrefix("model name") {
        if let colon = line.firstIndex(of: ":") {
          return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
      }
    #endif
    return "unknown"
  }

  private static func systemName() -> String {
    let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    for line in release.split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
      return line.dropFirst("PRETTY_NAME=".count).trimmingCharacters(
        in: CharacterSet(charactersIn: "\""))
    }
    return ProcessInfo.processInfo.operatingSystemVersionString
  }

  private static func loadAverage() -> Double? {
    var loads = [Double](repeating: 0, count: 1)
    return getloadavg(&loads, 1) == 1 ? loads[0] : nil
  }

  /// Relies on `assert`, which evaluates its condition only in builds without optimization.
  private static func isOptimizedBuild() -> Bool {
    var isOptimized = true
    assert(
      {
        isOptimized = false
        return true
      }())
    return isOptimized
  }

  /// A program cannot read the compiler's version, only compare it.
  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3.2 or a later 6.3"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
