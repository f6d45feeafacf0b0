import Foundation

// `coverage [discs] [union] [ground]`: all where none is named.
let known = ["discs", "union", "ground"]
let asked = Set(CommandLine.arguments.dropFirst())
guard asked.isSubset(of: known) else {
  FileHandle.standardError.write(Data("usage: coverage [discs] [union] [ground]\n".utf8))
  exit(64)
}
func isAsked(_ name: String) -> Bool { asked.isEmpty || asked.contains(name) }

if isAsked("discs") { benchmarkDiscs(rounds: 7) }
if isAsked("union") { benchmarkUnion(rounds: 7) }
if isAsked("ground") { try benchmarkGround(rounds: 7) }
