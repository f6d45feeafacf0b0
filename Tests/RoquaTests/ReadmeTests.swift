import Foundation
import TestSupport
import Testing

@Suite struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the example in the README is the code compiled here`() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let example = try String(
      contentsOf: Self.root.appending(path: "Tests/RoquaTests/ReadmeExample.swift"), encoding: .utf8
    )
    #expect(readme.contains("```swift\n" + example + "```"))
  }

  @Test func `the example in the README returns the expected answer`() throws {
    let folder = try TemporaryFolder()
    let samples = Self.root.appending(path: "data/samples").path
    let answer = try rememberAndAsk(tracks: samples, store: folder.file("s.sqlite"))
    #expect(answer.hasPrefix("1445 fixes kept, 29.8"))
    #expect(answer.hasSuffix("regions near Beyoğlu") || answer.hasSuffix("regions near Istanbul"))
  }
}
