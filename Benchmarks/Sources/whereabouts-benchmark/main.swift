import BenchmarkSupport
import Foundation
import Geodesy
import Roqua

// whereabouts-benchmark STORE    builds the index of a store's kept fixes, and asks it for
// positions `whereabouts` makes a store of a million kept fixes and calls it.

guard CommandLine.arguments.count == 2 else { fail("whereabouts-benchmark STORE", exitStatus: 64) }
let explorer = try Explorer(storePath: CommandLine.arguments[1], creating: false)
let questionCount = 1_000_000

var built: Whereabouts?
let builds = try (0..<3).map { _ in
  try Clock.wallSeconds { built = try explorer.whereabouts() }
}
guard let whereabouts = built, let known = whereabouts.knownTimes else {
  fail("The store has no kept fixes with a time.")
}
say("index of \(whereabouts.fixCount) kept fixes\t\(text(median(builds) * 1e3)) ms")

var random = SplitMix64(seed: 1)
let range = known.lowerBound.millisecondsSince1970...known.upperBound.millisecondsSince1970
let times = (0..<questionCount).map { _ in
  Timestamp(millisecondsSince1970: .random(in: range, using: &random))
}
for (name, questions) in [("random times", times), ("sorted times", times.sorted())] {
  var sums: [Double] = []
  let rates = (0..<5).map { _ in
    var (meters, answers) = (0.0, 0)
    let seconds = Clock.wallSeconds {
      for time in questions {
        guard let estimate = whereabouts.position(at: time) else { continue }
        meters += estimate.uncertaintyMeters + Double(estimate.coordinate.latitudeE7)
        answers += 1
      }
    }
    check(answers == questionCount, "every time between the first and last fix has an answer")
    sums.append(meters)
    return Double(questionCount) / seconds
  }
  check(Set(sums).count == 1, "the same answers every time")
  say("\(name)\t\(text(median(rates) / 1e6, 2)) million answers/s")
}
