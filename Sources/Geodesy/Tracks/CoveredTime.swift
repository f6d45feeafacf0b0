/// The time that the steps of several tracks cover, so that each moment counts once.
///
/// Steps are added in the order of their ends, and none takes longer than a limit. So only spans
/// near the last end matter; the others are dropped.
package struct CoveredTime: Hashable, Sendable {
  /// A span of time in milliseconds since 1970.
  package struct Span: Hashable, Sendable {
    package var start: Int64
    package var end: Int64

    package init(start: Int64, end: Int64) { (self.start, self.end) = (start, end) }
  }

  /// The longest duration of a step in milliseconds.
  package let longestStepMilliseconds: Int64
  /// Spans of which no two touch, in order of time.
  private var spans: [Span] = []

  /// Creates an empty set, or continues one.
  package init(longestStepMilliseconds: Int64, spans: [Span] = []) {
    (self.longestStepMilliseconds, self.spans) = (longestStepMilliseconds, spans)
  }

  /// Covers a span that ends no earlier than any before it; returns the milliseconds of it that
  /// were not covered.
  ///
  /// - Complexity: O(1) over all spans.
  package mutating func cover(from start: Int64, to end: Int64) -> Int64 {
    var (first, known) = (start, Int64(0))
    while let span = spans.last, span.end >= start {
      known += span.end - max(span.start, start)
      first = min(first, span.start)
      spans.removeLast()
    }
    if spans.count >= 64 { spans = spans(near: end) }
    spans.append(Span(start: first, end: end))
    return end - start - known
  }

  /// The spans that a step may touch which ends at this time or later.
  package func spans(near end: Int64) -> [Span] {
    spans.filter { $0.end >= end - longestStepMilliseconds }
  }
}
