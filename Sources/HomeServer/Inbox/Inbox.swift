import ByteStreams
import Dispatch
import Geodesy
import SQLiteLayer
import Synchronization
import TrackIngest

/// A database next to the store with the fixes that phones sent and the store has not decided about
/// yet, and with what makes a fix that is sent twice recognizable.
///
/// A phone is answered once its fixes are in the inbox and synced to the disk. So an answer waits
/// neither for a long import nor for the filter, which may decide about a fix only after the next
/// one, and nothing that was acknowledged is lost when the program is killed.
///
/// Requests that arrive while a transaction is being synced share the next one.
///
/// Unchecked `Sendable`: the connection is only used on `queue`; the rest is behind a lock.
package final class Inbox: @unchecked Sendable {
  /// A fix in the inbox.
  package struct Entry: Hashable, Sendable {
    /// Its number, in the order in which fixes arrived.
    package let id: Int64
    /// The name of the device that sent it.
    package let device: String
    /// The fix.
    package let fix: Fix
  }

  /// What a reading found.
  package struct Reading: Sendable {
    /// The fixes, in the order in which they arrived.
    package var entries: [Entry] = []
    /// The number of the last row that was read, with or without a fix; the number after which the
    /// reading began if there was none.
    package var last: Int64
  }

  /// What became of the fixes of a request.
  package struct Receipt: Hashable, Sendable {
    /// The number of fixes that are new.
    package var added = 0
    /// The number of fixes that the device had sent before.
    package var repeated = 0
  }

  private struct Delivery {
    let device: String
    let fixes: [Fix]
    let continuation: CheckedContinuation<Receipt, any Error>
  }

  private struct State {
    var deliveries: [Delivery] = []
    var waiting = 0
    var isOpen = true
    /// Every row of the table is here or counts as waiting.
    var setAside = SetAsideRows(mostNamed: Inbox.mostReports)
  }

  /// The number of fixes of which the inbox remembers that it has seen them, of all devices: about
  /// 100 MB. The oldest arrivals are forgotten first.
  package static let seenCapacity: Int64 = 2_000_000
  /// The maximum number of fixes that wait for the store. Beyond it, phones are asked to try later.
  package static let capacity = 1_000_000

  /// The maximum number of damaged rows of which each is reported.
  package static let mostReports = 20

  /// The path of the database.
  package let path: String
  private let connection: Connection
  private let queue = DispatchQueue(label: "Roqua inbox")
  private let state: Mutex<State>
  private let seenCapacity: Int64
  private var devices: [String: Int64] = [:]
  private var names: [Int64: String] = [:]
  /// The minimum time between two times that the write-ahead log is emptied.
  private let logPause: Duration
  private var logEmptied = ContinuousClock.now
  private var isLogPlanned = false
  /// Receives a line about each of the first rows that are set aside.
  private let report: @Sendable (String) -> Void
  private var reports = 0

  /// The path of the inbox of a store.
  package static func path(ofStore store: String) -> String {
    DatabaseFile.resolved(store) + ".inbox"
  }

  /// Opens the inbox, and creates it if there is none.
  ///
  /// - Parameter report: receives a line about each damaged row that is set aside, at most
  ///   ``mostReports``.
  /// - Throws: `DatabaseError`.
  package init(
    path: String, seenCapacity: Int64 = Inbox.seenCapacity, logPause: Duration = .seconds(5),
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(DatabaseError) {
    (self.path, self.report) = (path, report)
    (self.seenCapacity, self.logPause) = (seenCapacity, logPause)
    if try !DatabaseFile.exists(path: path, creating: true) { try DatabaseFile.make(path: path) }
    var options = DatabaseOptions(format: InboxSchema.format)
    options.durability = .full
    connection = try DatabaseWriter(path: path, options: options).connection
    try connection.execute("PRAGMA cache_size = -8000")
    // What a killed server left there. A full disk is noticed when something is stored.
    _ = try? connection.truncateLog()
    let select = try Statement("SELECT id, name FROM devices", on: connection)
    while try select.step() {
      guard let name = select.text(at: 1) else { continue }
      devices[name] = select.int64(at: 0)
      names[select.int64(at: 0)] = name
    }
    // SQLite gives no other numbers, and no others are read.
    let waiting = try connection.integer("SELECT count(*) FROM received WHERE id > 0") ?? 0
    state = Mutex(State(waiting: Int(waiting)))
  }

  /// The number of fixes that wait for the store, without rows that were set aside.
  package var waitingCount: Int { state.withLock { $0.waiting } }

  /// The first rows that hold no fix, by their numbers, at most ``mostReports``. They stay in the
  /// file and are passed over.
  package var setAside: [Int64: RowDamage] { state.withLock { $0.setAside.named } }

  /// The number of all rows that hold no fix.
  package var setAsideCount: Int { state.withLock { $0.setAside.count } }

  /// Why the inbox takes nothing.
  package enum Refusal: Error {
    /// Too many fixes wait for the store.
    case full
    /// The server ends.
    case closed
  }

  /// Stores the fixes of a device that it has not sent before, and returns once they are synced.
  ///
  /// - Throws: ``Refusal``; `DatabaseError`, for example for a full disk. Nothing is stored then.
  package func receive(_ fixes: [Fix], from device: String) async throws -> Receipt {
    try await withCheckedThrowingContinuation { continuation in
      let isFirst: Bool? = state.withLock { state in
        guard state.isOpen, state.waiting < Self.capacity else { return nil }
        state.deliveries.append(
          Delivery(device: device, fixes: fixes, continuation: continuation))
        return state.deliveries.count == 1
      }
      switch isFirst {
      case nil:
        let isOpen = state.withLock { $0.isOpen }
        continuation.resume(throwing: isOpen ? Refusal.full : Refusal.closed)
      case true: queue.async { self.takeDeliveries() }
      default: break
      }
    }
  }

  /// Stores all deliveries that have come, in one transaction.
  private func takeDeliveries() {
    let deliveries = state.withLock { state in
      defer { state.deliveries = [] }
      return state.deliveries
    }
    guard !deliveries.isEmpty else { return }
    let known = (devices, names)
    do {
      let receipts = try connection.writeTransaction { () throws(DatabaseError) in
        var receipts: [Receipt] = []
        for delivery in deliveries { receipts.append(try store(delivery)) }
        try forgetOldest()
        return receipts
      }
      state.withLock { $0.waiting += receipts.reduce(0) { $0 + $1.added } }
      for (delivery, receipt) in zip(deliveries, receipts) {
        delivery.continuation.resume(returning: receipt)
      }
    } catch {
      (devices, names) = known
      for delivery in deliveries { delivery.continuation.resume(throwing: error) }
    }
  }

  private func store(_ delivery: Delivery) throws(DatabaseError) -> Receipt {
    let device = try number(of: delivery.device)
    var receipt = Receipt()
    for fix in delivery.fixes {
      let see = try connection.cached(
        "INSERT OR IGNORE INTO seen (device_id, time, place) VALUES (?, ?, ?)")
      see.bind(device, at: 1)
      see.bind(fix.time?.millisecondsSince1970 ?? -1, at: 2)
      see.bind(Int64(Self.mark(of: fix)), at: 3)
      try see.run()
      guard connection.changedRows == 1 else {
        receipt.repeated += 1
        continue
      }
      receipt.added += 1
      let insert = try connection.cached(
        "INSERT INTO received (device_id, latitude_e7, longitude_e7, time, accuracy, elevation, "
          + "speed) VALUES (?, ?, ?, ?, ?, ?, ?)")
      insert.bind(device, at: 1)
      insert.bind(Int64(fix.coordinate.latitudeE7), at: 2)
      insert.bind(Int64(fix.coordinate.longitudeE7), at: 3)
      insert.bind(fix.time?.millisecondsSince1970, at: 4)
      insert.bind(fix.horizontalAccuracyMeters, at: 5)
      insert.bind(fix.elevationMeters, at: 6)
      insert.bind(fix.speedMetersPerSecond, at: 7)
      try insert.run()
    }
    return receipt
  }

  /// The place of a fix as 16 bits of a hash: with the time, they distinguish the fixes of a
  /// device, and do not say where it was. A fix without a time has no other mark, so it gets 62
  /// bits.
  private static func mark(of fix: Fix) -> UInt64 {
    let place =
      UInt64(UInt32(bitPattern: fix.coordinate.latitudeE7)) << 32
      | UInt64(UInt32(bitPattern: fix.coordinate.longitudeE7))
    // The finalizer of MurmurHash3.
    var bits = place
    bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
    bits ^= bits >> 33
    return fix.time == nil ? bits >> 2 : bits >> 48
  }

  private func number(of device: String) throws(DatabaseError) -> Int64 {
    if let known = devices[device] { return known }
    let id = try unusedNumber()
    let insert = try connection.cached("INSERT INTO devices (id, name) VALUES (?, ?)")
    insert.bind(id, at: 1)
    insert.bind(device, at: 2)
    try insert.run()
    devices[device] = id
    names[id] = device
    return id
  }

  /// A number that no row has. Else a damaged row, whose device is unknown, would become a fix of
  /// the new device. Reads all of `received`, but a device is new only once.
  private func unusedNumber() throws(DatabaseError) -> Int64 {
    let known = try connection.integer("SELECT max(id) FROM devices") ?? 0
    // Reading a row casts as well: the text "2x" is the number 2.
    let waiting =
      try connection.integer("SELECT max(CAST(device_id AS INTEGER)) FROM received") ?? 0
    // The condition passes over texts, which are greater than all numbers, by the index.
    let seen =
      try connection.integer(
        "SELECT max(device_id) FROM seen WHERE device_id <= 9223372036854775807") ?? 0
    let highest = max(0, known, waiting, seen)
    // Only a damaged row has the highest number.
    return highest < Int64.max ? highest + 1 : Int64.random(in: 1 << 32..<Int64.max)
  }

  private func forgetOldest() throws(DatabaseError) {
    guard let last = try connection.integer("SELECT max(id) FROM seen"), last > seenCapacity else {
      return
    }
    let delete = try connection.cached("DELETE FROM seen WHERE id <= ?")
    delete.bind(last - seenCapacity, at: 1)
    try delete.run()
  }

  /// The oldest entries with greater numbers than `id`, in the order in which they arrived. Rows
  /// that hold no fix are set aside (``setAside``).
  ///
  /// - Throws: `DatabaseError`.
  package func entries(after id: Int64, limit: Int) async throws -> [Entry] {
    try await read(after: id, limit: limit).entries
  }

  /// The same entries, and how far the reading came: rows at the end that hold no fix need not be
  /// read again.
  ///
  /// - Throws: `DatabaseError`.
  package func read(after id: Int64, limit: Int) async throws -> Reading {
    try await onQueue { inbox in
      let select = try inbox.connection.cached(
        "SELECT id, device_id, latitude_e7, longitude_e7, time, accuracy, elevation, speed "
          + "FROM received WHERE id > ? ORDER BY id")
      select.bind(id, at: 1)
      var reading = Reading(last: id)
      while reading.entries.count < limit, try select.step() {
        let row = select.int64(at: 0)
        reading.last = row
        do throws(RowDamage) {
          let (device, fix) = try inbox.fix(in: select)
          reading.entries.append(Entry(id: row, device: device, fix: fix))
        } catch {
          inbox.note(error, ofRow: row)
        }
      }
      inbox.readmit(reading.entries)
      return reading
    }
  }

  /// The fix of a row, and the name of the device that sent it.
  private func fix(in row: borrowing Statement) throws(RowDamage) -> (device: String, fix: Fix) {
    guard let device = names[row.int64(at: 1)] else { throw .device }
    let time = row.optionalInt64(at: 4).map(Timestamp.init(millisecondsSince1970:))
    guard time.map({ Timestamp.writable.contains($0) }) ?? true else { throw .time }
    guard let latitude = Int32(exactly: row.int64(at: 2)),
      let longitude = Int32(exactly: row.int64(at: 3)),
      let coordinate = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
    else { throw .coordinate }
    let fix = Fix(
      coordinate: coordinate, time: time, horizontalAccuracyMeters: row.optionalDouble(at: 5),
      elevationMeters: row.optionalDouble(at: 6), speedMetersPerSecond: row.optionalDouble(at: 7))
    return (device, fix)
  }

  /// Notes that a row holds no fix, and reports it once.
  private func note(_ damage: RowDamage, ofRow row: Int64) {
    let isNew: Bool = state.withLock { state in
      guard state.setAside.insert(row, damage) else { return false }
      state.waiting -= 1
      return true
    }
    guard isNew, reports < Self.mostReports else { return }
    reports += 1
    report(
      "\(path): row \(row) of the table received was set aside: \(damage.rawValue); the other rows "
        + "are recorded")
  }

  /// Counts rows that were set aside and were corrected since as waiting again.
  private func readmit(_ entries: [Entry]) {
    state.withLock { state in
      guard state.setAside.count > 0 else { return }
      for entry in entries where state.setAside.remove(entry.id) { state.waiting += 1 }
    }
  }

  /// Removes entries about which the store has decided; those that are removed already are passed
  /// over. Their bytes are overwritten, and the write-ahead log is emptied soon.
  ///
  /// - Throws: `DatabaseError`; the entries are still there then.
  package func settle(_ ids: [Int64]) async throws {
    guard !ids.isEmpty else { return }
    try await onQueue { inbox in
      let removed = try inbox.connection.writeTransaction { () throws(DatabaseError) -> [Int64] in
        var removed: [Int64] = []
        for id in ids {
          let delete = try inbox.connection.cached("DELETE FROM received WHERE id = ?")
          delete.bind(id, at: 1)
          try delete.run()
          if inbox.connection.changedRows > 0 { removed.append(id) }
        }
        return removed
      }
      inbox.state.withLock { state in
        // An entry may have been damaged, and set aside, after it was read.
        for id in removed where !state.setAside.remove(id) { state.waiting -= 1 }
      }
      if !removed.isEmpty { inbox.planEmptyingLog() }
    }
  }

  /// Empties the write-ahead log, which still has the removed positions, now or when the pause
  /// since the last time is over.
  private func planEmptyingLog() {
    guard !isLogPlanned else { return }
    let rest = logPause - (ContinuousClock.now - logEmptied)
    guard rest > .zero else { return emptyLog() }
    isLogPlanned = true
    let milliseconds = Int(rest / .milliseconds(1)) + 1
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      self?.isLogPlanned = false
      self?.emptyLog()
    }
  }

  /// Empties the write-ahead log. If that fails, the next removal tries again.
  private func emptyLog() {
    _ = try? connection.truncateLog()
    logEmptied = .now
  }

  /// Takes nothing any more, and empties the write-ahead log. Deliveries that have come are stored.
  package func close() async {
    state.withLock { $0.isOpen = false }
    try? await onQueue { inbox in
      inbox.takeDeliveries()
      _ = try inbox.connection.truncateLog()
    }
  }

  private func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable (Inbox) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body(self) }) }
    }
  }
}
