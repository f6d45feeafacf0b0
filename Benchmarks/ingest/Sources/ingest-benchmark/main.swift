import Foundation

// ingest-benchmark [--megabytes 64] [--rounds 9]     times decoding and filtering against expat
// ingest-benchmark write FOLDER BYTES FILES          writes GPX files for `Benchmarks/ingest/import`

/// Seconds of processor time of this thread: other work on the machine counts less than with a clock on the wall.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(1)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Runs both in turn, and gives the bytes a second of each (medians) and the median of the ratios.
func compare(
  _ bytes: Int, rounds: Int, _ ours: () -> Void, _ theirs: () -> Void
) -> (ours: Double, theirs: Double, ratio: Double) {
  func time(_ body: () -> Void) -> Double {
    let start = processorSeconds()
    body()
    return processorSeconds() - start
  }
  var pairs: [(ours: Double, theirs: Double)] = []
  for round in 0...rounds {
    let pair = (time(ours), time(theirs))
    if round > 0 { pairs.append(pair) }  // the first warms the caches
  }
  return (
    Double(bytes) / median(pairs.map(\.ours)), Double(bytes) / median(pairs.map(\.theirs)),
    median(pairs.map { $0.theirs / $0.ours })
  )
}

func report(_ name: String, _ result: (ours: Double, theirs: Double, ratio: Double), _ must: Double) -> Bool {
  let padded = name.padding(toLength: 14, withPad: " ", startingAt: 0)
  let isEnough = result.ratio >= must
  print(
    String(
      format: "%@ %8.0f MB/s  expat %6.0f MB/s  ratio %5.2f  (must be %.1f) %@", padded, result.ours / 1e6,
      result.theirs / 1e6, result.ratio, must, isEnough ? "" : "TOO SLOW"))
  return isEnough
}

func run(megabytes: Int, rounds: Int) -> Bool {
  let size = megabytes << 20
  var isEnough = true
  var reference: [UInt8] = []
  for (index, style) in GPXStyle.allCases.enumerated() {
    var written: [Written] = []
    let bytes = makeGPX(style, size: size, seed: UInt64(index + 1)) { written.append($0) }
    if let difference = firstDifference(bytes, from: written) { fail("GPX, \(style): \(difference)") }
    let (points, kept) = readWithRoqua(bytes)
    guard points == written.count, kept > 0, countWithExpat(in: bytes) == written.count else {
      fail("GPX, \(style): \(points) points of \(written.count), \(kept) kept")
    }
    let result = compare(
      bytes.count, rounds: rounds, { _ = readWithRoqua(bytes) }, { _ = tokenizeWithExpat(bytes) })
    isEnough = report("GPX \(style)", result, 3) && isEnough
    if style == .logger { reference = bytes }
  }
  for (index, style) in NMEAStyle.allCases.enumerated() {
    var written: [Written] = []
    let bytes = makeNMEA(style, size: size, seed: UInt64(index + 11)) { written.append($0) }
    if let difference = firstDifference(bytes, from: written) { fail("NMEA, \(style): \(difference)") }
    let (points, kept) = readWithRoqua(bytes)
    guard points == written.count, kept > 0 else {
      fail("NMEA, \(style): \(points) points of \(written.count), \(kept) kept")
    }
    // Expat reads GPX of as many bytes: both sizes differ by less than a point.
    let result = compare(
      bytes.count, rounds: rounds, { _ = readWithRoqua(bytes) }, { _ = tokenizeWithExpat(reference) })
    isEnough = report("NMEA \(style)", result, 1.2) && isEnough
  }
  return isEnough
}

func write(folder: String, bytes: Int, files: Int) throws {
  for index in 0..<files {
    let style = GPXStyle.allCases[index % GPXStyle.allCases.count]
    let text = makeGPX(style, size: bytes / files, seed: UInt64(index + 101))
    let name = String(format: "%03d-%@.gpx", index, style.rawValue)
    try Data(text).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
  }
}

func option(_ name: String, _ standard: Int) -> Int {
  let arguments = CommandLine.arguments
  guard let index = arguments.firstIndex(of: name) else { return standard }
  guard index + 1 < arguments.count, let value = Int(arguments[index + 1]), value > 0 else {
    fail("\(name) needs a number above 0")
  }
  return value
}

let arguments = CommandLine.arguments
if arguments.count == 5, arguments[1] == "write", let bytes = Int(arguments[3]),
  let files = Int(arguments[4]),
  files > 0
{
  try write(folder: arguments[2], bytes: bytes, files: files)
} else {
  exit(run(megabytes: option("--megabytes", 64), rounds: option("--rounds", 9)) ? 0 : 1)
}
