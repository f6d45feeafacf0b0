import Roqua

/// The parts that `roqua bench` can time.
package enum BenchmarkPart: String, CaseIterable, Sendable {
  /// Regions within a radius, nearest first.
  case near
  /// Regions in a box.
  case bbox
  /// The nearest regions.
  case nearest
  /// Bytes of tracks into kept fixes of a store.
  case `import`
  /// Marking discs in a coverage.
  case coverage
  /// Positions into places.
  case geocode
}

/// The times of one contender for one question.
package struct Measurement: Sendable {
  /// The part that it belongs to.
  package let part: BenchmarkPart
  /// The question, in words.
  package let question: String
  /// Roqua, or a competitor, baseline or lower bound.
  package let contender: String
  /// The unit of work: a search, a point, a disc.
  package let unit: String
  /// Seconds per unit of work.
  package let times: Sample
  /// The median as a multiple of Roqua's for the same question; nil if nothing is compared.
  package let ratio: Double?
  /// Mean number of rows in an answer; nil if answers have no rows.
  package let meanHits: Double?
  /// Bytes read per second; nil if no bytes are read.
  package let bytesPerSecond: Double?

  init(
    _ part: BenchmarkPart, _ question: String, _ contender: String, unit: String, _ times: Sample,
    ratio: Double? = nil, meanHits: Double? = nil, bytesPerSecond: Double? = nil
  ) {
    self.part = part
    self.question = question
    self.contender = contender
    self.unit = unit
    self.times = times
    self.ratio = ratio
    self.meanHits = meanHits
    self.bytesPerSecond = bytesPerSecond
  }

  /// Units of work per second, from the median.
  package var throughput: Double { 1 / times.median }

  var json: JSONValue {
    [
      "part": .string(part.rawValue), "question": .string(question),
      "contender": .string(contender),
      "unit": .string(unit), "samples": .integer(times.seconds.count),
      "medianSeconds": .number(times.median), "meanSeconds": .number(times.mean),
      "p95Seconds": .number(times.p95), "p99Seconds": .number(times.p99),
      "throughputPerSecond": .number(throughput),
      "ratio": .number(ratio),
      "meanHits": .number(meanHits), "bytesPerSecond": .number(bytesPerSecond),
    ]
  }
}
