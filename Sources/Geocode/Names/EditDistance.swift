/// How many changes make one word another: a letter added, left out or replaced, or two neighbors
/// swapped (optimal string alignment).
package enum EditDistance {
  /// The number of changes, or nil above `limit`.
  ///
  /// - Complexity: O(first × second), less where they differ early by more than the limit.
  package static func between(_ first: [UInt8], _ second: [UInt8], atMost limit: Int) -> Int? {
    guard abs(first.count - second.count) <= limit else { return nil }
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    // Rows of the table: the second to last, the last, and the current one.
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    var row = beforeLast
    for i in 1...first.count {
      row[0] = i
      for j in 1...second.count {
        let isEqual = first[i - 1] == second[j - 1]
        var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isEqual ? 0 : 1))
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          best = min(best, beforeLast[j - 2] + 1)
        }
        row[j] = best
      }
      if row.allSatisfy({ $0 > limit }), last.allSatisfy({ $0 > limit }) { return nil }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[second.count] <= limit ? last[second.count] : nil
  }

  /// The changes that a word of `count` letters may have and still be taken for a slip: 1 up to
  /// three letters, 2 up to six, else 3.
  package static func limit(forLetters count: Int) -> Int { count <= 3 ? 1 : count <= 6 ? 2 : 3 }
}
