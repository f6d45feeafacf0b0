import Foundation
import TestSupport
import Testing

/// `roqua bench`: every part with small workloads.
@Suite struct BenchTests {
  @Test func `a benchmark of every part is one JSON document with ratios`() throws {
    let bench = try Bench()
    let report = try bench.json("bench", "all", "--regions", "5k", "--questions", "5")
    #expect((report.regions.double ?? 0) >= 5_000)
    #expect(report.store == .string("made"))
    let rows = report.measurements.elements
    let parts = Set(rows.compactMap(\.part.string))
    #expect(parts == ["near", "bbox", "nearest", "import", "coverage", "geocode"])
    for part in parts {
      let isCompared = rows.contains { $0.part == .string(part) && ($0.ratio.double ?? 1) != 1 }
      #expect(isCompared, "\(part) has no competitor")
    }
    #expect(rows.contains { $0.contender == .string("R*Tree joined") })
    #expect(!bench.hasStore, "the user's store is not created")
  }

  @Test func `text output names the machine and only the requested parts`() throws {
    let bench = try Bench()
    let words = try bench.roqua("bench", "nearest", "--regions", "2k", "--questions", "2")
    #expect(words.status == 0, "\(words.err)")
    for text in [
      "machine", "versions", "built before measuring", "nearest 20", "R*Tree joined", "ratio",
    ] {
      #expect(words.out.contains(text), "\(text)")
    }
    #expect(!words.out.contains("near 500"))
    #expect(words.err == "")
  }

  @Test func `an input that cannot be benchmarked is a one-line error`() throws {
    let bench = try Bench()
    let missing = try bench.roqua("bench", "near", "--store", "none.sqlite")
    #expect(missing.status == 1)
    #expect(missing.errorLines == ["roqua: none.sqlite: There is no store."])
    let text = try bench.folder.write("no database at all", to: "text.sqlite")
    let foreign = try bench.roqua("bench", "near", "--store", text)
    #expect(foreign.status == 1)
    #expect(foreign.errorLines.count == 1)
    #expect(try bench.roqua("bench", "sideways").status == 64)
    #expect(try bench.roqua("bench", "--regions", "0").status == 64)
    #expect(try bench.roqua("bench", "--questions", "0").status == 64)
  }
}
