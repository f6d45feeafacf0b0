/// Something that people should know after a sync. Nothing of it stops a sync.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// for problem in try await shared.sync().problems {
///   switch problem {
///   case .notThere(let file): print("\(file) is read by a later sync.")
///   default: print(problem)
///   }
/// }
/// ```
public enum SyncProblem: Hashable, Sendable {
  /// A file of another device is not there yet, or not whole.
  case notThere(file: String)
  /// A file cannot be believed: it was changed, moved, damaged, or is of another folder.
  case notBelieved(file: String, reason: String)
  /// A file has cells of the grid of another exploration radius, in meters.
  case otherGrid(file: String, radiusMeters: Double)
  /// The folder has an older state of a device than before.
  case wentBackwards(device: String)
  /// A device has not synced since another one was removed. What it wrote since it was read last
  /// counts once it does.
  case notSyncedSinceRemoval(device: String)
  /// The other devices have another exploration radius, in meters; this store keeps its own,
  /// because its sources came with cells. Nil stands for the default.
  case otherRadius(meters: Double?)
  /// Another store syncs with the keys of this device.
  case sharedKeys
  /// Files that nothing needs stay in the folder, because a backup cannot be read.
  case keepsFiles
  /// The newest keys of the folder, in these files, are not for this device.
  case newerKeys(files: [String])

  /// Whether something of the other devices is missing.
  package var isIncomplete: Bool {
    switch self {
    case .notThere, .notBelieved, .otherGrid, .wentBackwards, .sharedKeys, .newerKeys: true
    case .notSyncedSinceRemoval, .otherRadius, .keepsFiles: false
    }
  }
}

extension SyncProblem: CustomStringConvertible {
  /// What happened, in plain words, without a full stop.
  public var description: String {
    switch self {
    case .notThere(let file): "\(file): not there yet, or not whole"
    case .notBelieved(let file, let reason): "\(file): not believed: \(reason)"
    case .otherGrid(let file, let radius):
      "\(file): its cells were made for an exploration radius of \(Self.text(radius))"
    case .wentBackwards(let device):
      "the folder has an older state of \(device) than before; it may be a copy that is not "
        + "complete"
    case .notSyncedSinceRemoval(let device):
      "\(device) has not synced since a device was removed; what it changed arrives once it does"
    case .otherRadius(let radius):
      "the other devices have "
        + (radius.map { "an exploration radius of \(Self.text($0))" }
          ?? "the default exploration radius")
        + "; this store keeps its own, because sources came with cells"
    case .sharedKeys:
      "another store syncs with the keys of this device; delete the folder with the keys next to "
        + "one of the two stores, and let the other add it again"
    case .keepsFiles:
      "files of forgotten sources stay in the folder, because a backup in it cannot be read"
    case .newerKeys(let files):
      "\(files.joined(separator: ", ")): the newest keys of the folder are not for this device: it "
        + "was removed, or the other devices have not seen each other's changes yet"
    }
  }

  private static func text(_ meters: Double) -> String {
    Int(exactly: meters).map { "\($0) m" } ?? "\(meters) m"
  }
}

extension SyncFolder {
  /// What people should know after a sync.
  package func problems(of report: SyncReport) -> [SyncProblem] {
    func name(_ device: DeviceName) -> String {
      devices.first { $0.name == device }?.displayName ?? "\(device)"
    }
    var problems = report.pending.map(SyncProblem.init)
    problems += report.unreadable.sorted { "\($0.key)" < "\($1.key)" }.map {
      .notBelieved(file: "\($0.key)", reason: $0.value)
    }
    problems += keyProblems.map { .notBelieved(file: "\($0.path)", reason: "\($0.error)") }
    // What a device wrote before it was removed is of no interest.
    func isMember(_ device: DeviceName) -> Bool { devices.contains { $0.name == device } }
    problems += report.rolledBack.filter(isMember).map { .wentBackwards(device: name($0)) }
    problems += report.outdated.filter(isMember).map { .notSyncedSinceRemoval(device: name($0)) }
    if let radius = report.refusedRadiusMeters {
      problems.append(.otherRadius(meters: radius == 0 ? nil : radius))
    }
    if report.hasTwin { problems.append(.sharedKeys) }
    if report.keepsFiles { problems.append(.keepsFiles) }
    if !newerKeyFiles.isEmpty { problems.append(.newerKeys(files: newerKeyFiles)) }
    return problems
  }
}

extension SyncProblem {
  fileprivate init(_ pending: PendingFile) {
    let file = "\(pending.path)"
    self =
      switch pending.reason {
      case .missing: .notThere(file: file)
      case .unreadable(let reason): .notBelieved(file: file, reason: reason)
      case .otherGrid(let radius): .otherGrid(file: file, radiusMeters: radius)
      }
  }
}
