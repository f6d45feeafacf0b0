/// Collects warnings: each message once, with the line where it was first met and how often it was.
struct WarningList {
  /// Different messages of one code that are kept; further ones are counted with the last.
  static let messagesPerCode = 3

  private struct Entry {
    let warning: IngestWarning
    var count = 1
  }

  private var entries: [Entry] = []

  /// Takes a warning.
  ///
  /// - Complexity: O(codes): a file has a handful of messages, however many warnings.
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

  /// The warnings in the order in which they were first met; each says how many more like it there were.
  var warnings: [IngestWarning] {
    entries.map { entry in
      guard entry.count > 1 else { return entry.warning }
      return IngestWarning(
        code: entry.warning.code, line: entry.warning.line,
        message: "\(entry.warning.message) (and \(entry.count - 1) more like it)")
    }
  }
}
