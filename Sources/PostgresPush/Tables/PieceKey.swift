/// How the rows of a table are divided into pieces: groups of rows that are compared and written as
/// a whole.
enum PieceKey: Hashable, Sendable {
  /// All rows are one piece, with the number 0.
  case whole
  /// A piece has the rows whose value of an integer column, without its last bits, is the number of
  /// the piece.
  case prefix(column: String, droppedBits: Int)
  /// A piece has the rows of one source: its number is the first eight bytes of the SHA-256.
  case source
  /// A piece is one row, and its number is an integer column.
  static func row(_ column: String) -> PieceKey { .prefix(column: column, droppedBits: 0) }

  /// The number of the piece of a source.
  static func piece(sha256: [UInt8]) -> Int64 {
    Int64(bitPattern: sha256.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// A statement that deletes the rows of some pieces: `$1` is the person, and `$2` and `$3` are
  /// arrays of the first and the last value of ranges.
  func deletion(from table: String) -> String {
    let (column, type) =
      switch self {
      case .whole: ("person", "bigint")
      case .prefix(let column, _): (column, "bigint")
      case .source: ("sha256", "bytea")
      }
    return """
      DELETE FROM roqua.\(table) t USING unnest($2::\(type)[], $3::\(type)[]) AS gone(low, high)
      WHERE t.person = $1::bigint AND t.\(column) BETWEEN gone.low AND gone.high
      """
  }

  /// The ranges of values of some pieces, which must be in ascending order, as the texts of two
  /// arrays. Pieces that follow each other are one range.
  ///
  /// - Parameter person: the key of the person.
  func ranges(of pieces: [Int64], person: Int64) -> (low: String, high: String) {
    switch self {
    case .whole: return ("{\(person)}", "{\(person)}")
    case .prefix(_, let bits):
      var ranges: [ClosedRange<Int64>] = []
      for piece in pieces {
        let first = piece << Int64(bits)
        let range = first...first | ((1 << Int64(bits)) - 1)
        if let last = ranges.last, last.upperBound + 1 == range.lowerBound {
          ranges[ranges.count - 1] = last.lowerBound...range.upperBound
        } else {
          ranges.append(range)
        }
      }
      return (
        Self.array(ranges.map { "\($0.lowerBound)" }), Self.array(ranges.map { "\($0.upperBound)" })
      )
    case .source:
      func text(_ piece: Int64, _ rest: String) -> String {
        let digits = String(UInt64(bitPattern: piece), radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        return "\"\\\\x\(padded)\(String(repeating: rest, count: 24))\""
      }
      return (
        Self.array(pieces.map { text($0, "00") }), Self.array(pieces.map { text($0, "ff") })
      )
    }
  }

  private static func array(_ items: [String]) -> String {
    "{\(items.joined(separator: ","))}"
  }
}
