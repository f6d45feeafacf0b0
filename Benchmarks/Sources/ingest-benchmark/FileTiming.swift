import BenchmarkSupport
import Foundation

/// Decoding and filtering of one file of any format from memory, on one core.
struct FileTiming {
  /// The number of times that it is timed.
  let rounds: Int

  /// Prints a line: bytes, points, kept fixes, median processor seconds of Roqua, and those of
  /// expat's tokenizing, 0 if it is not XML.
  func run(path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let isXML = tokenizeWithExpat(bytes)
    var (points, kept) = (0, 0)
    var ours: [Double] = []
    var theirs: [Double] = []
    for round in 0...rounds {
      let seconds = Clock.processorSeconds { (points, kept) = readWithRoqua(bytes) }
      if round == 0 { continue }  // it warms the caches
      ours.append(seconds)
      if isXML { theirs.append(Clock.processorSeconds { _ = tokenizeWithExpat(bytes) }) }
    }
    say("\(bytes.count) \(points) \(kept) \(median(ours)) \(isXML ? median(theirs) : 0)")
  }
}
