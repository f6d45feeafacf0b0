/// Collects rows of a person that come in the order of their pieces, and hands over each piece once
/// it is complete.
struct PieceRows {
  private var rows = CopyRows()
  private var piece: Int64?
  private let person: Int64
  private let fields: Int
  private let take: (Int64, CopyRows) throws -> Void

  /// - Parameters:
  ///   - person: the key of the person, the first field of each row.
  ///   - fields: the number of fields of a row, the person included.
  ///   - take: receives each piece with its rows.
  init(person: Int64, fields: Int, _ take: @escaping (Int64, CopyRows) throws -> Void) {
    (self.person, self.fields, self.take) = (person, fields, take)
  }

  /// Adds a row to a piece. `write` puts the fields after the person.
  mutating func add(to piece: Int64, _ write: (inout CopyRows) -> Void) throws {
    if piece != self.piece {
      try finish()
      self.piece = piece
    }
    rows.begin(fields: fields)
    rows.put(person)
    write(&rows)
  }

  /// Hands over the last piece.
  mutating func finish() throws {
    guard let piece else { return }
    try take(piece, rows)
    rows.removeAll()
    self.piece = nil
  }
}
