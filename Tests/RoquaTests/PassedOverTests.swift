import Testing

@testable import Roqua

@Suite struct PassedOverTests {
  @Test(arguments: [
    ("a.jpg", "jpg"), ("b/C.JPEG", "jpeg"), ("x.tar.gz", "gz"), ("a.b/c", "other"),
    (".DS_Store", "other"), ("noext", "other"), ("dot.", "other"), ("a.verylongext", "other"),
    ("a.eightlet", "eightlet"), ("a.é", "other"), ("a.j\u{1B}g", "other"), ("a b.mp4", "mp4"),
    ("dir\\photo.PNG", "png"), ("", "other"), ("a.x y", "other"),
  ])
  func `the kind of a file is its extension`(path: String, kind: String) {
    #expect(PassedOver.kind(of: path) == kind)
  }

  @Test func `the number of kinds is bounded, and no file is lost`() {
    var files = PassedOver()
    for index in 0..<500 { files.ignore("\(index).k\(index % 100)") }
    #expect(files.ignored == 500)
    #expect(files.ignoredKinds.count <= PassedOver.kindLimit + 1)
    #expect(files.ignoredKinds.values.reduce(0, +) == 500)
    var twice = files
    twice.add(files)
    #expect(twice.ignored == 1_000)
    #expect(twice.ignoredKinds == files.ignoredKinds.mapValues { 2 * $0 })
  }

  @Test func `files without tracks can be forgotten, those that cannot be read yet stay`() {
    var files = PassedOver()
    files.ignore("a.txt")
    files.skip(.mldx)
    let earlier = files
    files.ignore("b.jpg")
    files.skip(.mldx)
    files.forgetIgnored(since: earlier)
    #expect(files.ignored == 1)
    #expect(files.ignoredKinds == ["txt": 1])
    #expect(files.unsupported == [.mldx: 2])
    var sum = earlier
    sum.add(files)
    #expect(sum.ignored == 2)
    #expect(sum.unsupported == [.mldx: 3])
  }

  @Test func `the most frequent kinds come first, and others last`() {
    var report = ImportReport()
    for path in ["a", "b", "c.txt", "d.jpg", "e.jpg", "f.csv", "g"] {
      report.passedOver.ignore(path)
    }
    #expect(report.ignoredKindsByCount.map(\.kind) == ["jpg", "csv", "txt", "other"])
    #expect(report.ignoredKindsByCount.map(\.count) == [2, 1, 1, 3])
    #expect(report.ignored == 7)
  }
}
