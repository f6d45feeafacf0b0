import SQLiteLayer

extension StoreChecker {
  /// Checks that each row of `achievements` can be read. The tables that an evaluation leaves are
  /// not checked: it reads nothing from them that it cannot compute again.
  func checkAchievements(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    var damage: [String] = []
    let rows = try store.achievementRows { (error) throws(DatabaseError) in
      guard case .damaged(_, let detail, nil) = error else { throw error }
      damage.append(detail)
    }
    step.count = rows.count + damage.count
    for detail in damage { step.add(detail, isMendable: false) }
  }
}
