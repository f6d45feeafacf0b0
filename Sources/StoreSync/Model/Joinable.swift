/// A value that grows by joining: the join is commutative, associative and idempotent, so a state
/// is the same in whatever order, however often and however late its parts arrive.
package protocol Joinable: Hashable, Sendable {
  /// Replaces this value by the least value that contains both.
  mutating func join(_ other: Self)
}

extension Joinable {
  /// The join of both values.
  package func joined(with other: Self) -> Self {
    var result = self
    result.join(other)
    return result
  }

  /// Returns whether this value says everything that another one says.
  package func contains(_ other: Self) -> Bool { joined(with: other) == self }
}

extension Dictionary where Value: Joinable {
  /// Joins the values of equal keys and adds the others.
  ///
  /// - Complexity: O(entries of `other`), and O(all entries) if this dictionary must grow.
  mutating func joinValues(_ other: Self) {
    if isEmpty { self = other }
    for (key, value) in other {
      if let index = index(forKey: key) {
        if values[index] != value { values[index].join(value) }
      } else {
        self[key] = value
      }
    }
  }
}
