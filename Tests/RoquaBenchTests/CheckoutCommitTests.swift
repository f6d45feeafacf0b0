import Foundation
import TestSupport
import Testing

@testable import RoquaBench

@Suite struct CheckoutCommitTests {
  private let commit = String(repeating: "0123456789", count: 4)

  @Test func `the commit of a checkout is found in all of git's locations`() throws {
    let folder = try TemporaryFolder()
    func write(_ text: String, _ path: String) throws {
      let whole = folder.file(path)
      try FileManager.default.createDirectory(
        atPath: (whole as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: whole))
    }
    #expect(CheckoutCommit.of(checkout: folder.path) == nil)
    try write("\(commit)\n", "detached/.git/HEAD")
    #expect(CheckoutCommit.of(checkout: folder.file("detached")) == commit)
    try write("ref: refs/heads/main\n", "branch/.git/HEAD")
    #expect(CheckoutCommit.of(checkout: folder.file("branch")) == nil)
    try write("# pack-refs\n\(commit) refs/heads/main\n", "branch/.git/packed-refs")
    #expect(CheckoutCommit.of(checkout: folder.file("branch")) == commit)
    try write("gitdir: ../branch/.git/worktrees/w\n", "beside/.git")
    try write("ref: refs/heads/main\n", "branch/.git/worktrees/w/HEAD")
    try write("../..\n", "branch/.git/worktrees/w/commondir")
    #expect(CheckoutCommit.of(checkout: folder.file("beside")) == commit)
    try write("not a commit\n", "broken/.git/HEAD")
    #expect(CheckoutCommit.of(checkout: folder.file("broken")) == nil)
  }
}
