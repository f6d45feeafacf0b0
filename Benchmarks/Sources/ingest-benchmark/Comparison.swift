import BenchmarkSupport

/// Decoding and filtering by Roqua against expat's tokenizing, in turns.
struct Comparison {
  /// The number of times each side is timed.
  let rounds: Int

  /// Median bytes per second of each side, and the median of the ratios.
  struct Result {
    let roqua: Double
    let expat: Double
    let ratio: Double
  }

  /// Times all styles; returns whether every ratio reaches its limit.
  func run(megabytes: Int) -> Bool {
    let size = megabytes << 20
    var isEnough = true
    var reference: [UInt8] = []
    for (index, style) in GPXStyle.allCases.enumerated() {
      var written: [Written] = []
      let bytes = makeGPX(style, size: size, seed: UInt64(index + 1)) { written.append($0) }
      if let difference = firstDifference(bytes, from: written) {
        fail("GPX, \(style): \(difference)")
      }
      let (points, kept) = readWithRoqua(bytes)
      guard points == written.count, kept > 0, countWithExpat(in: bytes) == written.count else {
        fail("GPX, \(style): \(points) points of \(written.count), \(kept) kept")
      }
      isEnough = report("GPX \(style)", time(bytes, against: bytes), limit: 3) && isEnough
      if style == .logger { reference = bytes }
    }
    for (index, style) in NMEAStyle.allCases.enumerated() {
      var written: [Written] = []
      let bytes = makeNMEA(style, size: size, seed: UInt64(index + 11)) { written.append($0) }
      if let difference = firstDifference(bytes, from: written) {
        fail("NMEA, \(style): \(difference)")
      }
      let (points, kept) = readWithRoqua(bytes)
      guard points == written.count, kept > 0 else {
        fail("NMEA, \(style): \(points) points of \(written.count), \(kept) kept")
      }
      // Expat reads as many bytes of GPX: the sizes differ by less than a point.
      isEnough = report("NMEA \(style)", time(bytes, against: reference), limit: 1.2) && isEnough
    }
    return isEnough
  }

  private func time(_ bytes: [UInt8], against reference: [UInt8]) -> Result {
    var pairs: [(roqua: Double, expat: Double)] = []
    for round in 0...rounds {
      let pair = (
        Clock.processorSeconds { _ = readWithRoqua(bytes) },
        Clock.processorSeconds { _ = tokenizeWithExpat(reference) }
      )
      if round > 0 { pairs.append(pair) }  // the first round warms the caches
    }
    let size = Double(bytes.count)
    return Result(
      roqua: size / median(pairs.map(\.roqua)), expat: size / median(pairs.map(\.expat)),
      ratio: median(pairs.map { $0.expat / $0.roqua }))
  }

  /// Prints a line; returns whether the ratio reaches the limit.
  private func report(_ name: String, _ result: Result, limit: Double) -> Bool {
    let isEnough = result.ratio >= limit
    let padding = String(repeating: " ", count: max(0, 14 - name.count))
    say(
      name + padding + text(result.roqua / 1e6, 0, width: 9) + " MB/s  expat"
        + text(result.expat / 1e6, 0, width: 7) + " MB/s  ratio "
        + text(result.ratio, 2, width: 5) + "  (must be " + text(limit) + ")"
        + (isEnough ? "" : "  TOO SLOW"))
    return isEnough
  }
}
