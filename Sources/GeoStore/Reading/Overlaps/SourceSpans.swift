/// The first and last times of sources, from which those that may overlap are chosen before any fix
/// is read.
struct SourceSpans {
  /// A source.
  struct Span {
    let member: SourceOverlap.Member
    /// Number of its kept fixes.
    let kept: Int
    /// In milliseconds since 1970.
    let first: Int64
    let last: Int64
  }

  /// The sources with a time, in the order of import.
  let all: [Span]

  /// Returns the indexes of the sources that may overlap, in the order of import.
  ///
  /// - Parameter wanted: the numbers of the sources whose overlaps are wanted; nil for all.
  /// - Complexity: O(sources × log(sources)).
  func candidates(_ wanted: Set<Int64>?) -> [Int] {
    let order = all.indices.sorted { all[$0].first < all[$1].first }
    // A source that overlaps an earlier one overlaps the one of them that ends last; so does any
    // other that is still running then.
    var meets = Set<Int>()
    var longest: Int?
    for index in order {
      if let other = longest, all[index].first < all[other].last {
        meets.formUnion([index, other])
      }
      if longest.map({ all[$0].last < all[index].last }) ?? true { longest = index }
    }
    guard let wanted else { return meets.sorted() }
    let covered = union(of: order.filter { wanted.contains(all[$0].member.id) })
    return meets.filter { index in
      wanted.contains(all[index].member.id) || Self.meets(all[index], covered)
    }.sorted()
  }

  /// The time that sources cover, as spans that do not touch; `order` is by first time.
  private func union(of order: [Int]) -> [ClosedRange<Int64>] {
    var spans: [ClosedRange<Int64>] = []
    for index in order {
      let span = all[index]
      if let last = spans.last, span.first <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound...max(last.upperBound, span.last)
      } else {
        spans.append(span.first...span.last)
      }
    }
    return spans
  }

  private static func meets(_ span: Span, _ spans: [ClosedRange<Int64>]) -> Bool {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound <= span.first { low = middle + 1 } else { high = middle }
    }
    return low < spans.count && spans[low].lowerBound < span.last
  }
}
