/// The square of a QR code of version 1 to 6 while its modules are placed.
///
/// - Source: ISO/IEC 18004: function patterns, placement, masks, penalties and format.
struct QRCodeGrid {
  /// The rows of modules; true is dark.
  private(set) var modules: [[Bool]]
  /// The modules that hold no data.
  private var isFunction: [[Bool]]
  private let size: Int

  /// The code with the mask of the lowest penalty.
  static func best(version: Int, codewords: [UInt8]) -> [[Bool]] {
    var plain = QRCodeGrid(version: version)
    plain.place(codewords)
    let masked = (0..<8).map { mask in
      var grid = plain
      grid.apply(mask)
      grid.placeFormat(mask)
      return grid
    }
    return masked.min { $0.penalty < $1.penalty }?.modules ?? plain.modules
  }

  private init(version: Int) {
    size = 17 + 4 * version
    modules = [[Bool]](repeating: [Bool](repeating: false, count: size), count: size)
    isFunction = modules
    for index in 0..<size {
      set(6, index, index % 2 == 0)
      set(index, 6, index % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { placeFinder(row, column) }
    if version > 1 { placeAlignment(size - 7) }
    placeFormat(0)
  }

  /// Sets a module of a pattern.
  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    modules[row][column] = isDark
    isFunction[row][column] = true
  }

  /// A square in a square around a center, with a light border.
  private mutating func placeFinder(_ row: Int, _ column: Int) {
    for y in -4...4 {
      for x in -4...4 where (0..<size).contains(row + y) && (0..<size).contains(column + x) {
        let distance = max(abs(x), abs(y))
        set(row + y, column + x, distance != 2 && distance != 4)
      }
    }
  }

  /// A dot in a square around a center on the diagonal.
  private mutating func placeAlignment(_ center: Int) {
    for y in -2...2 {
      for x in -2...2 { set(center + y, center + x, max(abs(x), abs(y)) != 1) }
    }
  }

  /// Places level M and a mask, twice.
  private mutating func placeFormat(_ mask: Int) {
    // Level M is 00. Ten bits correct errors; the pattern avoids a format of zeros.
    var remainder = mask << 10
    for bit in (10..<15).reversed() where remainder >> bit & 1 == 1 {
      remainder ^= 0x537 << (bit - 10)
    }
    let format = (mask << 10 | remainder) ^ 0x5412
    func isDark(_ bit: Int) -> Bool { format >> bit & 1 == 1 }
    for bit in 0..<15 {
      let row = bit < 6 ? bit : bit < 8 ? bit + 1 : 8
      let column = bit < 8 ? 8 : bit == 8 ? 7 : 14 - bit
      set(row, column, isDark(bit))
      if bit < 8 {
        set(8, size - 1 - bit, isDark(bit))
      } else {
        set(size - 15 + bit, 8, isDark(bit))
      }
    }
    set(size - 8, 8, true)
  }

  /// Places the bits of codewords: pairs of columns from the right, in turns upward and downward.
  private mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    var right = size - 1
    while right > 0 {
      // The column of the timing pattern is left out.
      if right == 6 { right = 5 }
      let isUpward = (right + 1) & 2 == 0
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFunction[row][column] {
          if bit < codewords.count * 8 {
            modules[row][column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          }
          bit += 1
        }
      }
      right -= 2
    }
  }

  /// Whether a mask changes a module.
  static func isMasked(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  private mutating func apply(_ mask: Int) {
    for row in 0..<size {
      for column in 0..<size where !isFunction[row][column] && Self.isMasked(mask, row, column) {
        modules[row][column].toggle()
      }
    }
  }

  /// How much the modules resemble patterns that confuse readers; lower is better.
  private var penalty: Int {
    let columns = (0..<size).map { column in modules.map { $0[column] } }
    let lines = (modules + columns).reduce(0) { $0 + Self.penalty(ofLine: $1) }
    var squares = 0
    for row in 1..<size {
      for column in 1..<size {
        let four = [
          modules[row][column], modules[row - 1][column], modules[row][column - 1],
          modules[row - 1][column - 1],
        ]
        if Set(four).count == 1 { squares += 3 }
      }
    }
    let dark = modules.joined().count { $0 }
    let share = abs(dark * 20 - size * size * 10) / (size * size) * 10
    return lines + squares + share
  }

  /// Runs of five and more, and what looks like a finder next to four light modules.
  private static func penalty(ofLine line: [Bool]) -> Int {
    var result = 0
    var run = 0
    for (index, isDark) in line.enumerated() {
      run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
      if run == 5 { result += 3 } else if run > 5 { result += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    let light = [false, false, false, false]
    for start in 0...(line.count - 11) {
      let part = Array(line[start..<(start + 11)])
      if part == finder + light || part == light + finder { result += 40 }
    }
    return result
  }
}
