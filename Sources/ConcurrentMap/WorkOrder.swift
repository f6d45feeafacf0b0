/// An order in which to work on the elements of an array: by their keys, and those with the same
/// key as in the array. Elements that read the same memory then come one after another.
@usableFromInline
package struct WorkOrder: Sendable {
  /// The indices of the elements, each of them once.
  @usableFromInline package let indices: [UInt32]

  /// Sorts an array by counting its keys.
  ///
  /// - Parameters:
  ///   - elements: fewer than 2³².
  ///   - keys: all possible keys.
  ///   - key: the key of an element, which must be one of `keys`.
  /// - Complexity: O(elements + keys), and 8 bytes of memory for each element, 4 for each key.
  @inlinable
  package init<Element>(of elements: [Element], keys: Range<Int>, key: (Element) -> Int) {
    let found = elements.map { UInt32(key($0) - keys.lowerBound) }
    // Where the elements of each key begin; in the end, where those of the next one do.
    var starts = [UInt32](repeating: 0, count: keys.count + 1)
    for key in found { starts[Int(key) + 1] += 1 }
    for key in 0..<keys.count { starts[key + 1] += starts[key] }
    var indices = [UInt32](repeating: 0, count: found.count)
    for (index, key) in found.enumerated() {
      indices[Int(starts[Int(key)])] = UInt32(index)
      starts[Int(key)] += 1
    }
    self.indices = indices
  }
}
