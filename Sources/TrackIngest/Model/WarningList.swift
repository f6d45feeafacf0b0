import Geodesy

/// Collects warnings: each message once, with the line of its first occurrence and a count.
struct WarningList {
  /// The maximum number of messages of one code; further ones are counted with the last.
  static let messagesPerCode = 3

  private struct Entry {
    let warning: IngestWarning
    var count = 1
  }

  private var entries: [Entry] = []

  /// Adds a warning.
  ///
  /// - Complexity: O(messages kept), which are at most ``messagesPerCode`` per code.
  mutating func add(_ code: IngestWarning.Code, line: Int?, _ message: () -> String) {
    let message = message()
    var last: Int?
    var messages = 0
    for index in entries.indices where entries[index].warning.code == code {
      if entries[index].warning.message == message {
        entries[index].count += 1
        return
      }
      last = index
      messages += 1
    }
    if messages == Self.messagesPerCode, let last {
      entries[last].count += 1
    } else {
      entries.append(Entry(warning: IngestWarning(code: code, line: line, message: message)))
    }
  }

  /// The warnings in the order of their first occurrence, each with the number of similar ones.
  var warnings: [IngestWarning] {
    entries.map { entry in
      guard entry.count > 1 else { return entry.warning }
      let message = entry.warning.message
      let similar = "(and \(GroupedNumber.text(entry.count - 1)) more like it)"
      return IngestWarning(
        code: entry.warning.code, line: entry.warning.line,
        message: message.hasSuffix(".")
          ? "\(message.dropLast()) \(similar)." : "\(message) \(similar)")
    }
  }
}
