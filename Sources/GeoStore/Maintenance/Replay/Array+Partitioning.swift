extension Array {
  /// Returns the index of the first element that satisfies a condition; all following elements must
  /// satisfy it too.
  ///
  /// - Complexity: O(log count).
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
