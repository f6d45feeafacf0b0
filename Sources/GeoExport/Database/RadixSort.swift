/// Sorting of numbers by their digits, in time proportional to their number.
enum RadixSort {
  private static let digitBits = 11

  /// Sorts numbers by the bits from `first` on; numbers that agree in these keep their order.
  ///
  /// - Complexity: O(count · bits / 11), and as much memory again as the numbers take.
  static func sort(_ numbers: inout [UInt64], fromBit first: Int) {
    guard numbers.count > 1 else { return }
    var other = [UInt64](repeating: 0, count: numbers.count)
    let mask = UInt64(1) << UInt64(digitBits) - 1
    for shift in stride(from: first, to: 64, by: digitBits) {
      var places = [Int](repeating: 0, count: 1 << digitBits)
      for number in numbers { places[Int(number >> UInt64(shift) & mask)] += 1 }
      // All have the same digit.
      if places.contains(numbers.count) { continue }
      var sum = 0
      for digit in places.indices {
        let count = places[digit]
        places[digit] = sum
        sum += count
      }
      for number in numbers {
        let digit = Int(number >> UInt64(shift) & mask)
        other[places[digit]] = number
        places[digit] += 1
      }
      swap(&numbers, &other)
    }
  }
}
