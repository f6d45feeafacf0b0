/// What a store held at one time: a file that names the source files that restore it.
package struct BackupManifest: Hashable, Sendable {
  /// A setting as the store had it.
  package struct Setting: Hashable, Sendable {
    /// The value, which is finite.
    package var value: Double
    /// When it was set, in milliseconds since 1970.
    package var changedMilliseconds: Int64

    /// Creates a setting.
    package init(value: Double, changedMilliseconds: Int64) {
      (self.value, self.changedMilliseconds) = (value, changedMilliseconds)
    }

    /// Whether the times and the bits of the values are equal.
    package static func == (left: Self, right: Self) -> Bool {
      left.changedMilliseconds == right.changedMilliseconds
        && left.value.bitPattern == right.value.bitPattern
    }

    /// Hashes what is compared.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(changedMilliseconds)
      hasher.combine(value.bitPattern)
    }
  }

  /// The device whose store it was.
  package var device: DeviceName
  /// The name that people read.
  package var displayName: String
  /// The number of the backup: each one of a device is higher than those before, whatever the clock
  /// says.
  package var number: UInt64
  /// When it was written, in milliseconds since 1970, by the clock of the device.
  package var writtenMilliseconds: Int64
  /// What a person noted about it; empty for nothing.
  package var note: String
  /// The number of kept fixes.
  package var keptFixes: UInt64
  /// All settings that had a row, also those that each device has for itself.
  package var settings: [String: Setting]
  /// What the store held: only present sources without conflicts, and only zones in force.
  package var state: SharedState

  /// Creates a backup.
  package init(
    device: DeviceName, displayName: String, number: UInt64, writtenMilliseconds: Int64,
    note: String, keptFixes: UInt64, settings: [String: Setting], state: SharedState
  ) {
    (self.device, self.displayName, self.number) = (device, displayName, number)
    (self.writtenMilliseconds, self.note) = (writtenMilliseconds, note)
    (self.keptFixes, self.settings, self.state) = (keptFixes, settings, state)
  }
}

extension SharedState {
  /// Whether a store can have this state: no source is forgotten or has a conflict, and no zone is
  /// removed.
  var isHeld: Bool {
    sources.values.allSatisfy { $0.present.map { !$0.hasConflict } ?? false }
      && zones.values.allSatisfy { if case .present = $0 { true } else { false } }
  }
}
