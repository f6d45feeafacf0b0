import Roqua

extension ServerAnswer {
  /// `/health`: whether fixes of phones are recorded, and the damaged rows of the inbox. Status 503
  /// if the store or the inbox cannot be read or written. Damaged rows are no reason to take the
  /// server down: the phones go on.
  static func health(isHealthy: Bool, _ inbox: Inbox) -> ServerAnswer {
    guard isHealthy else {
      return .json(503, ["status": .string("the store or the inbox cannot be read or written")])
    }
    let count = inbox.setAsideCount
    guard count > 0 else { return .json(200, ["status": .string("ok")]) }
    let rows = count == 1 ? "1 damaged row" : "\(count) damaged rows"
    let named = inbox.setAside.sorted { $0.key < $1.key }.map { row, damage -> JSONValue in
      ["table": .string("received"), "row": .integer(row), "reason": .string(damage.rawValue)]
    }
    return .json(
      200,
      [
        "status": .string("\(rows) of the inbox set aside; all else is recorded"),
        "setAside": .array(named),
      ])
  }
}
