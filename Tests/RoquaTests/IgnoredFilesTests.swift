import Testing

@testable import Roqua

@Suite struct IgnoredFilesTests {
  @Test(arguments: [
    ("a.jpg", "jpg"), ("b/C.JPEG", "jpeg"), ("x.tar.gz", "gz"), ("a.b/c", "other"),
    (".DS_Store", "other"), ("noext", "other"), ("dot.", "other"), ("a.verylongext", "other"),
    ("a.eightlet", "eightlet"), ("a.é", "other"), ("a.j\u{1B}g", "other"), ("a b.mp4", "mp4"),
    ("dir\\photo.PNG", "png"), ("", "other"), ("a.x y", "other"),
  ])
  func `the kind of a file is its extension`(path: String, kind: String) {
    #expect(IgnoredFiles.kind(of: path) == kind)
  }

  @Test func `the number of kinds is bounded, and no file is lost`() {
    var files = IgnoredFiles()
    for index in 0..<500 { files.add("\(index).k\(index % 100)") }
    #expect(files.count == 500)
    #expect(files.kinds.count <= IgnoredFiles.kindLimit + 1)
    #expect(files.kinds.values.reduce(0, +) == 500)
    var twice = files
    twice.add(files)
    #expect(twice.count == 1_000)
    #expect(twice.kinds == files.kinds.mapValues { 2 * $0 })
  }

  @Test func `the most frequent kinds come first, and others last`() {
    var report = ImportReport()
    for path in ["a", "b", "c.txt", "d.jpg", "e.jpg", "f.csv", "g"] {
      report.ignoredFiles.add(path)
    }
    #expect(report.ignoredKindsByCount.map(\.kind) == ["jpg", "csv", "txt", "other"])
    #expect(report.ignoredKindsByCount.map(\.count) == [2, 1, 1, 3])
    #expect(report.ignored == 7)
  }
}
