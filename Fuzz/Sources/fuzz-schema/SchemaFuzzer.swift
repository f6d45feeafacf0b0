import CSQLite
import FuzzSupport

@testable import GeoStore
@testable import SQLiteLayer

/// Stores with altered table definitions: every object that Roqua creates is reported by its name
/// if and only if its definition differs; a store that is refused for its schema has a difference;
/// and what can be repaired is gone after a repair.
///
/// Bit 0 of the choice selects what the body is: SQL that another program runs, or edits of the
/// schema table. Bits 1 to 3 are the number of edits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSchema(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  FuzzedSchema.restore()
  if input.choice & 1 == 0 {
    FuzzedSchema.execute([String(decoding: input.body, as: UTF8.self)])
  } else {
    var rest = input.body[...]
    FuzzedSchema.execute((0..<input.choice >> 1 & 7).map { _ in SchemaForger.statement(&rest) })
  }
  do throws(DatabaseError) {
    let store = try FuzzedSchema.open()
    try check(store)
  } catch {
    require(!error.description.isEmpty, "an error without words")
  }
  return 0
}

private func check(_ store: Connection) throws(DatabaseError) {
  let new = try Connection.temporary(for: store.path, format: Schema.format)
  let found = try SchemaRow.all(in: store)
  let expected = try SchemaRow.all(in: new).filter { $0.sql != nil }
  let differences = try SchemaDifference.all(in: store, against: new)
  for difference in differences {
    require(!difference.description.isEmpty, "a difference without words")
  }
  compare(found, expected, differences)
  do throws(DatabaseError) {
    try Schema.format.verify(store)
  } catch {
    guard case .alteredSchema(_, let detail) = error else { throw error }
    require(!differences.isEmpty, "refused, but no difference is reported: \(detail)")
  }
  if !differences.isEmpty, differences.allSatisfy(\.isRepairable) {
    try repair(store, against: new, differences)
  }
}

/// What can be repaired is gone after a repair, and rows are kept.
private func repair(
  _ store: Connection, against new: Connection, _ differences: [SchemaDifference]
) throws(DatabaseError) {
  let count = "SELECT count(*) FROM settings"
  let before = try store.integer(count)
  try Schema.restoreTables(store)
  try store.writeTransaction { () throws(DatabaseError) in try Schema.mend(store) }
  let left = try SchemaDifference.all(in: store, against: new)
  require(
    left.isEmpty,
    "\(differences.map(\.description)) are repaired, \(left.map(\.description)) are left")
  require(try store.integer(count) == before, "a repair lost settings")
}

/// Compares the differences with a plain comparison of the rows of both schemas.
private func compare(
  _ found: [SchemaRow], _ expected: [SchemaRow], _ differences: [SchemaDifference]
) {
  for object in expected {
    let same = found.filter { $0.foldedName == object.foldedName }
    // SQLite reads only one of two objects with the same name.
    if same.count > 1 { continue }
    let isEqual = same.first.map { $0.type == object.type && $0.sql == object.sql } ?? false
    let reports = differences.filter { $0.name == object.name && $0.isAboutOwnObject }
    require(
      isEqual == reports.isEmpty,
      "\(object.name) \(isEqual ? "equals" : "differs"): \(reports.map(\.description))")
  }
}
