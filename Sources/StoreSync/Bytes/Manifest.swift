/// What one device has sent to the others: a file that only it writes, and never changes.
package struct Manifest: Hashable, Sendable {
  /// The device.
  package var device: DeviceName
  /// The name that people read.
  package var displayName: String
  /// The number of the manifest: each one of a device is higher than the one before.
  package var counter: UInt64
  /// When it was written, in milliseconds since 1970, by the clock of the device.
  package var writtenMilliseconds: Int64
  /// When a person or a recording last changed the store there, in milliseconds since 1970.
  package var activeMilliseconds: Int64
  /// The counter of the last manifest of each other device that this one has read.
  package var read: [DeviceName: UInt64]
  /// The source files and manifests in the folder that the device could not read, though they seem
  /// whole: whoever wrote them should look whether they are damaged.
  package var wanted: Set<SyncPath>
  /// All that the device knows.
  package var state: SharedState

  /// Creates a manifest.
  package init(
    device: DeviceName, displayName: String, counter: UInt64, writtenMilliseconds: Int64,
    activeMilliseconds: Int64, read: [DeviceName: UInt64], wanted: Set<SyncPath> = [],
    state: SharedState
  ) {
    (self.device, self.displayName, self.counter) = (device, displayName, counter)
    (self.writtenMilliseconds, self.activeMilliseconds) = (writtenMilliseconds, activeMilliseconds)
    (self.read, self.wanted, self.state) = (read, wanted, state)
  }
}
