import BenchmarkSupport
import Foundation

// ingest-benchmark [--megabytes 64] [--rounds 9]   times decoding and filtering against expat
// ingest-benchmark write FOLDER BYTES FILES        writes GPX files for `Benchmarks/ingest/import`
// ingest-benchmark decode FILE [--rounds 9]        times one file, for `Benchmarks/formats`

let arguments = CommandLine.arguments

func option(_ name: String, default standard: Int) -> Int {
  guard let index = arguments.firstIndex(of: name) else { return standard }
  guard index + 1 < arguments.count, let value = Int(arguments[index + 1]), value > 0 else {
    fail("\(name) needs a number above 0.", exitStatus: 64)
  }
  return value
}

func write(folder: String, bytes: Int, files: Int) throws {
  for index in 0..<files {
    let style = GPXStyle.allCases[index % GPXStyle.allCases.count]
    let text = makeGPX(style, size: bytes / files, seed: UInt64(index + 101))
    let name = String(format: "%03d-%@.gpx", index, style.rawValue)
    try Data(text).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
  }
}

if arguments.count == 5, arguments[1] == "write", let bytes = Int(arguments[3]),
  let files = Int(arguments[4]), files > 0
{
  try write(folder: arguments[2], bytes: bytes, files: files)
} else if arguments.count >= 3, arguments[1] == "decode" {
  try FileTiming(rounds: option("--rounds", default: 9)).run(path: arguments[2])
} else {
  let comparison = Comparison(rounds: option("--rounds", default: 9))
  exit(comparison.run(megabytes: option("--megabytes", default: 64)) ? 0 : 1)
}
