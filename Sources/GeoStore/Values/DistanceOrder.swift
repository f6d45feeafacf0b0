/// An element with a distance and a number.
protocol Ranked {
  /// The distance, 0 or more.
  var distanceMeters: Double { get }
  /// Breaks ties between equal distances.
  var id: Int64 { get }
}

extension Ranked {
  /// Orders by distance, then by number.
  static func isNearer(_ left: Self, _ right: Self) -> Bool {
    left.distanceMeters != right.distanceMeters
      ? left.distanceMeters < right.distanceMeters : left.id < right.id
  }
}

extension Array where Element: Ranked {
  /// Sorts by ``Ranked/isNearer(_:_:)``.
  ///
  /// Points spread evenly over a circle have evenly spread squared distances. Each element
  /// therefore goes into the bucket of its squared distance, with as many buckets as elements, and
  /// is then sorted within its bucket.
  ///
  /// - Complexity: O(n) for evenly spread points, O(n log n) otherwise.
  mutating func sortByDistance() {
    guard count > 24 else { return sort(by: Element.isNearer) }
    var farthest = 0.0
    for element in self { farthest = Swift.max(farthest, element.distanceMeters) }
    guard farthest > 0, farthest.isFinite else { return sort(by: Element.isNearer) }
    let scale = (Double(count) - 0.5) / (farthest * farthest)
    @inline(__always) func bucket(_ element: Element) -> Int {
      Int(element.distanceMeters * element.distanceMeters * scale)
    }
    // The start of each bucket, shifted by one: the number of elements in the buckets before it.
    var starts = [Int32](repeating: 0, count: count + 2)
    for element in self { starts[bucket(element) + 2] += 1 }
    for index in 2..<starts.count { starts[index] += starts[index - 1] }
    // Sound: the starts were counted from the same distances, so each element has its own index
    // below `count`, and every index is initialized.
    self = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      for element in self {
        let index = bucket(element) + 1
        (buffer.baseAddress.unsafelyUnwrapped + Int(starts[index])).initialize(to: element)
        starts[index] += 1
      }
      initialized = count
      // Each start has moved to the end of its bucket.
      var start = 0
      for index in 1...count {
        let end = Int(starts[index])
        if end - start > 1 { Self.sort(&buffer, start..<end) }
        start = end
      }
    }
  }

  /// Sorts a bucket, by insertion unless it is large.
  ///
  /// Sound: the range lies within the buffer, and its elements are initialized.
  private static func sort(_ buffer: inout UnsafeMutableBufferPointer<Element>, _ range: Range<Int>)
  {
    guard range.count <= 24 else { return buffer[range].sort(by: Element.isNearer) }
    for index in range.dropFirst() {
      let element = buffer[index]
      var place = index
      while place > range.lowerBound, Element.isNearer(element, buffer[place - 1]) {
        buffer[place] = buffer[place - 1]
        place -= 1
      }
      buffer[place] = element
    }
  }
}
