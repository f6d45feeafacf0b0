/// The input of a fuzzer: a byte that selects how the rest is split and read, and the rest.
public struct FuzzInput {
  /// The first byte; 0 if there is none.
  public let choice: UInt8
  /// All other bytes.
  public let body: [UInt8]

  /// Splits the bytes that libFuzzer provides.
  public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    // Sound: libFuzzer states the count of its bytes, which are valid during the call.
    let bytes = UnsafeBufferPointer(start: start, count: count)
    choice = bytes.first ?? 0
    body = Array(bytes.dropFirst())
  }

  /// Creates an input whose body was made from another one.
  public init(choice: UInt8, body: [UInt8]) { (self.choice, self.body) = (choice, body) }

  /// Sizes of pieces, to be repeated, from the low five bits of the choice: single bytes, a few
  /// bytes, and mixtures that split the input at any position.
  public var pieceSizes: [Int] {
    let seed = Int(choice & 31)
    switch seed {
    case 0: return [1]
    case 1...8: return [seed + 1]
    case 9...16: return [seed * 7, 1]
    case 17...24: return [1, seed, 3, seed * 11 + 2]
    default: return [seed * 97, 2, 0, 5]
    }
  }

  /// Calls `body` with copies of the pieces, each of exactly its size, so that AddressSanitizer
  /// sees a read past one.
  public func forEachPiece(of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
    let sizes = pieceSizes
    var start = 0
    var turn = 0
    while start < bytes.count {
      let length = min(sizes[turn % sizes.count], bytes.count - start)
      // Sound: the piece is filled as a whole, and freed after the call.
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
      defer { piece.deallocate() }
      piece.copyBytes(from: bytes[start..<start + length])
      body(UnsafeRawBufferPointer(piece))
      start += length
      turn += 1
    }
  }

  /// Calls `body` with a copy of all bytes.
  public static func withWhole(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
    // Sound: the copy is filled as a whole, and freed after the call.
    let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { whole.deallocate() }
    whole.copyBytes(from: bytes)
    body(UnsafeRawBufferPointer(whole))
  }
}

/// Stops the fuzzer with a message if a condition does not hold.
public func require(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError(message()) }
}

/// Stops the fuzzer at the first difference between two lists.
public func requireEqual<Element: Equatable>(_ left: [Element], _ right: [Element], _ what: String)
{
  for (index, pair) in zip(left, right).enumerated() where pair.0 != pair.1 {
    fatalError("\(what): no. \(index) differs: \(pair.0) and \(pair.1)")
  }
  let rest = left.dropFirst(right.count).first ?? right.dropFirst(left.count).first
  require(rest == nil, "\(what): \(left.count) and \(right.count), the next is \(rest as Any)")
}
