import BenchmarkSupport

// `coverage-benchmark [discs] [union] [ground]`: all three if none is named. `--rounds N` sets the
// number of rounds, 7 by default.
var arguments = Array(CommandLine.arguments.dropFirst())
var rounds = 7
if let index = arguments.firstIndex(of: "--rounds") {
  guard index + 1 < arguments.count, let number = Int(arguments[index + 1]), number > 0 else {
    fail("--rounds needs a number above 0.", exitStatus: 64)
  }
  rounds = number
  arguments.removeSubrange(index...index + 1)
}
let requested = Set(arguments)
guard requested.isSubset(of: ["discs", "union", "ground"]) else {
  fail("Usage: coverage-benchmark [--rounds N] [discs] [union] [ground]", exitStatus: 64)
}
func isRequested(_ name: String) -> Bool { requested.isEmpty || requested.contains(name) }

if isRequested("discs") { benchmarkDiscs(rounds: rounds) }
if isRequested("union") { benchmarkUnion(rounds: rounds) }
if isRequested("ground") { try benchmarkGround(rounds: rounds) }
