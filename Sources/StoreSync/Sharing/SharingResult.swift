/// What a sync did.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// let result = try await shared.preview()
/// print("\(result.changes.sourcesAdded) sources to receive")
/// if !result.isComplete { result.problems.forEach { print($0) } }
/// print("Compare with the other device: \(result.fingerprint)")
/// ```
public struct SharingResult: Sendable {
  /// What changed in the store.
  public let changes: SyncChanges
  /// Number of source files that were written into the folder; of a preview, number of sources of
  /// which files would be written.
  package let filesWritten: Int
  /// What people should know, such as files that have not arrived.
  public let problems: [SyncProblem]
  /// The devices of the folder.
  public let devices: [SharingDevice]
  /// What people compare to see that two devices have the same folder, such as
  /// "7ZK4-0N3M-QX2A-V9JT".
  public let fingerprint: String
  /// The secret key with which the folder can be opened if all devices are lost,
  /// "AGE-SECRET-KEY-1…"; nil unless this device made the folder and
  /// ``SharedStore/confirmRecoveryKey()`` was not called.
  public let recoveryKey: String?

  /// Whether nothing of the other devices is missing.
  public var isComplete: Bool { !problems.contains(where: \.isIncomplete) }
}

/// How far a sync is.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// try await shared.sync { progress in
///   let percentage = progress.fraction.map { "\(Int($0 * 100)) %" }
///   print(progress.phase, percentage ?? "")
/// }
/// ```
public struct SharingProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: Hashable, Sendable {
    /// Files of other devices are read.
    case readingFiles
    /// The store changes.
    case changingStore
    /// Files for other devices are written.
    case writingFiles
  }

  /// What is being done.
  public let phase: Phase
  /// How much of it is done, 0 to 1; nil if that is not known.
  public let fraction: Double?
}
