import Testing

@testable import Profiles

/// What happens to the data of a profile that is left.
@Suite struct LeavingTests {
  /// What was asked and done, in order.
  private final class Log {
    var lines: [String] = []
  }

  private struct Lost: Error {}

  private func leaving(
    unsynced: Int?, answers: [ProfileLeaving.Answer]?, canSync: Bool = true, _ log: Log
  ) -> ProfileLeaving {
    var leaving = ProfileLeaving(profileName: "work")
    var answers = answers
    leaving.unsyncedSources = { unsynced }
    leaving.warn = { log.lines.append("warn \($0)") }
    if canSync { leaving.sync = { log.lines.append("sync") } }
    if answers != nil {
      leaving.ask = { question in
        switch question {
        case .disposal(let profile): log.lines.append("ask about \(profile)")
        case .sync(let profile, let sources):
          log.lines.append("ask to sync \(sources) of \(profile)")
        }
        return answers?.removeFirst() ?? .cancel
      }
    }
    return leaving
  }

  @Test func `with nobody to ask, the data is kept`() throws {
    let log = Log()
    #expect(try leaving(unsynced: nil, answers: nil, log).disposal(nil) == .keep)
    #expect(log.lines.isEmpty)
    for requested in [ProfileDisposal.keep, .erase, .eraseNow] {
      #expect(try leaving(unsynced: nil, answers: nil, log).disposal(requested) == requested)
      #expect(try leaving(unsynced: 0, answers: nil, log).disposal(requested) == requested)
    }
    #expect(log.lines.isEmpty)
  }

  @Test func `a person is asked, unless there is an instruction`() throws {
    let log = Log()
    #expect(try leaving(unsynced: nil, answers: [.keep], log).disposal(nil) == .keep)
    #expect(try leaving(unsynced: nil, answers: [.erase], log).disposal(nil) == .erase)
    #expect(log.lines == ["ask about work", "ask about work"])
    #expect(throws: ProfileError.canceled) {
      try leaving(unsynced: nil, answers: [.cancel], log).disposal(nil)
    }
    log.lines = []
    #expect(try leaving(unsynced: nil, answers: [], log).disposal(.erase) == .erase)
    #expect(log.lines.isEmpty)
  }

  @Test func `sources that are not synced are announced, and a sync is offered`() throws {
    let log = Log()
    #expect(try leaving(unsynced: 3, answers: [.sync, .erase], log).disposal(nil) == .erase)
    #expect(log.lines == ["warn 3", "ask to sync 3 of work", "sync", "ask about work"])
    log.lines = []
    #expect(try leaving(unsynced: 1, answers: [.goOn], log).disposal(.eraseNow) == .eraseNow)
    #expect(log.lines == ["warn 1", "ask to sync 1 of work"])
    #expect(throws: ProfileError.canceled) {
      try leaving(unsynced: 1, answers: [.cancel], log).disposal(.keep)
    }
    log.lines = []
    #expect(
      try leaving(unsynced: 2, answers: [.keep], canSync: false, log).disposal(nil) == .keep)
    #expect(log.lines == ["warn 2", "ask about work"])
  }

  @Test func `with nobody to ask, only data that can be recovered is erased unsynced`() throws {
    let log = Log()
    #expect(try leaving(unsynced: 2, answers: nil, log).disposal(nil) == .keep)
    #expect(try leaving(unsynced: 2, answers: nil, log).disposal(.erase) == .erase)
    #expect(throws: ProfileError.unsynced(name: "work", sources: 2)) {
      try leaving(unsynced: 2, answers: nil, log).disposal(.eraseNow)
    }
    #expect(log.lines == ["warn 2", "warn 2", "warn 2"])
  }

  @Test func `a sync that fails leaves everything as it is`() throws {
    var leaving = leaving(unsynced: 2, answers: [.sync, .erase], Log())
    leaving.sync = { throw Lost() }
    #expect(throws: Lost.self) { try leaving.disposal(nil) }
  }

  @Test func `every error is one line`() {
    let errors: [ProfileError] = [
      .invalidName(name: "", reason: "r"), .nameTaken(name: "n"),
      .noSuchProfile(selector: "s", names: ["a", "b"]), .noSuchErasedProfile(selector: "s"),
      .ambiguous(selector: "s", ids: ["a"]), .isSelected(name: "n"),
      .selectionChanged(name: "n"), .inUse(name: "n", reason: nil), .linked(name: "n", path: "p"),
      .unsynced(name: "n", sources: 1), .damaged(path: "p", reason: "r"),
      .newerVersion(path: "p"), .file(path: "p", reason: "r"), .canceled,
    ]
    for error in errors {
      #expect(!error.description.contains("\n"))
      #expect(!error.description.isEmpty)
    }
  }
}
