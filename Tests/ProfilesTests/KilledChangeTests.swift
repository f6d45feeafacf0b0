import Foundation
import TestSupport
import Testing

@testable import Profiles

/// Ends a change before each step on disk. The next program finds the state before or after it, and
/// every file.
@Suite struct KilledChangeTests {
  /// A change, and what it starts from.
  enum Change: String, CaseIterable, CustomTestStringConvertible {
    case firstCreate, create, createSelecting, rename, `switch`, switchErasingFirst
    case switchErasingOther, switchErasingNow, remove, removeNow, removeLast, removeErasedNow
    case recover, recoverFirst, expiry

    var testDescription: String { rawValue }

    func prepare(_ bench: ProfileBench) throws {
      let folder = bench.folder
      try bench.writeFiles(of: "default")
      guard self != .firstCreate, self != .removeLast else { return }
      for name in ["work", "third"] {
        _ = try folder.create(named: name)
        try bench.writeFiles(of: name)
      }
      switch self {
      case .switchErasingOther: _ = try folder.switch(to: "work")
      case .recover, .removeErasedNow, .expiry: _ = try folder.remove("third")
      case .recoverFirst: _ = try folder.switch(to: "work", leaving: .erase)
      default: break
      }
      if self == .expiry { bench.pass(seconds: 86_400) }
    }

    func run(_ folder: ProfileFolder) throws {
      switch self {
      case .firstCreate, .create: _ = try folder.create(named: "new")
      case .createSelecting: _ = try folder.create(named: "new", selecting: true)
      case .rename: _ = try folder.rename("work", to: "office")
      case .switch: _ = try folder.switch(to: "work")
      case .switchErasingFirst: _ = try folder.switch(to: "work", leaving: .erase)
      case .switchErasingOther: _ = try folder.switch(to: "third", leaving: .erase)
      case .switchErasingNow: _ = try folder.switch(to: "work", leaving: .eraseNow)
      case .remove: _ = try folder.remove("third")
      case .removeNow: _ = try folder.remove("third", now: true)
      case .removeLast: _ = try folder.remove("default")
      case .removeErasedNow: _ = try folder.remove("third", now: true)
      case .recover: _ = try folder.recover("third")
      case .recoverFirst: _ = try folder.recover("default")
      case .expiry: _ = try folder.use()
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `a change that is killed at any step is done or undone`(_ change: Change) throws {
    let (before, after, count) = try outcome(change)
    #expect(before != after)
    #expect(count >= 1)
    for step in 0..<count {
      let bench = try ProfileBench()
      try change.prepare(bench)
      bench.kill(after: step)
      _ = profileError { try change.run(bench.folder) }
      #expect(bench.changes == step, "the change has fewer steps than expected")
      bench.kill(after: nil)
      // The next program brings everything in order by using the profiles.
      _ = try bench.folder.use()
      let seen = try bench.seen()
      #expect(seen == after || seen == before && change != .expiry, "step \(step)")
      // The same change is possible once more.
      if seen == before {
        try change.run(bench.folder)
        #expect(try bench.seen() == after, "step \(step)")
      }
      try expectNothingLeftOver(bench, step)
    }
  }

  @Test(arguments: Change.allCases)
  func `a program that is killed while it brings things in order changes nothing either`(
    _ change: Change
  ) throws {
    let (before, after, count) = try outcome(change)
    for step in 0..<count {
      for second in 0..<8 {
        let bench = try ProfileBench()
        try change.prepare(bench)
        bench.kill(after: step)
        _ = profileError { try change.run(bench.folder) }
        bench.kill(after: second)
        _ = try? bench.folder.use()
        bench.kill(after: nil)
        _ = try bench.folder.use()
        let seen = try bench.seen()
        #expect(seen == before || seen == after, "steps \(step) and \(second)")
      }
    }
  }

  /// What is seen before and after a change, and its number of steps.
  private func outcome(
    _ change: Change
  ) throws -> (before: ProfileBench.Seen, after: ProfileBench.Seen, count: Int) {
    let bench = try ProfileBench()
    try change.prepare(bench)
    let before = try bench.seen()
    bench.kill(after: nil)
    try change.run(bench.folder)
    return (before, try bench.seen(), bench.changes)
  }

  /// Every folder of a profile is listed.
  private func expectNothingLeftOver(_ bench: ProfileBench, _ step: Int) throws {
    guard let registry = try bench.folder.registry() else { return }
    let live = Set(registry.profiles.map(\.id.text))
    let erased = Set(registry.erased.map(\.folderName))
    for name in ProfileFiles.entries(of: bench.file("profiles")) where name != "erased" {
      #expect(live.contains(name), "step \(step) leaves \(name)")
    }
    for name in ProfileFiles.entries(of: bench.file("profiles/erased")) {
      #expect(erased.contains(name), "step \(step) leaves \(name)")
    }
  }
}
