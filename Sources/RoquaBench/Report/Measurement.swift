import Roqua

/// What `roqua bench` can time.
public enum BenchmarkPart: String, CaseIterable, Sendable {
  /// Regions within a radius, nearest first.
  case near
  /// Regions in a box.
  case bbox
  /// The nearest regions.
  case nearest
  /// From the bytes of tracks to kept fixes in a store.
  case `import`
  /// Discs into a coverage.
  case coverage
  /// From positions to places.
  case geocode
}

/// How one contender did with one question.
public struct Measurement: Sendable {
  /// The part that it belongs to.
  public let part: BenchmarkPart
  /// What was asked, in words.
  public let question: String
  /// Who answered.
  public let contender: String
  /// What one piece of work is: a search, a point, a disc.
  public let unit: String
  /// Seconds a piece of work.
  public let times: Sample
  /// Its median as a multiple of Roqua's for the same question; nil where nothing is compared.
  public let ratio: Double?
  /// Rows of an answer, on average; nil where an answer has no rows.
  public let meanHits: Double?
  /// Bytes read a second; nil where no bytes are read.
  public let bytesPerSecond: Double?

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

  /// Pieces of work a second, by the median.
  public var throughput: Double { 1 / times.median }

  var json: JSONValue {
    [
      "part": .string(part.rawValue), "question": .string(question), "contender": .string(contender),
      "unit": .string(unit), "samples": .integer(times.seconds.count),
      "medianSeconds": .number(times.median), "p95Seconds": .number(times.p95),
      "p99Seconds": .number(times.p99), "throughputPerSecond": .number(throughput), "ratio": .number(ratio),
      "meanHits": .number(meanHits), "bytesPerSecond": .number(bytesPerSecond),
    ]
  }
}
