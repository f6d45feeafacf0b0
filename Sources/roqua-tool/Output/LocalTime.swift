import Foundation

/// Times for people who watch a command, in local time.
enum LocalTime {
  /// `2026-11-26 07:10:12`, in the time zone of the system.
  static func text(_ date: Date) -> String {
    var (seconds, parts) = (time_t(date.timeIntervalSince1970.rounded(.down)), tm())
    guard localtime_r(&seconds, &parts) != nil else { return "" }
    func padded(_ number: Int32, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = "\(padded(parts.tm_year + 1_900, 4))-\(padded(parts.tm_mon + 1))-"
    let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
    return day + padded(parts.tm_mday) + " " + clock
  }
}
