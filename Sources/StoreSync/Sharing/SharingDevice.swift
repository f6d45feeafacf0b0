import Geodesy

/// A device of a sync folder.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// for device in try await shared.sync().devices where !device.isThisDevice {
///   print(device.name, device.lastSynced?.iso8601 ?? "never read")
/// }
/// ```
public struct SharingDevice: Hashable, Sendable {
  /// The name that people read.
  public var name: String
  /// The name in the folder: 16 hexadecimal digits.
  public var code: String
  /// Whether it is the device that asks.
  public var isThisDevice: Bool
  /// When it last sent something to the folder, by its clock; nil if it was never read.
  public var lastSynced: Timestamp?
  /// When its store last changed, by its clock; nil if it was never read.
  public var lastActive: Timestamp?
}

extension SyncFolder {
  /// The devices of the folder, with what they said of themselves when they were read last.
  package func sharingDevices(_ report: SyncReport?) -> [SharingDevice] {
    devices.map { device in
      let seen = report?.seen[device.name]
      return SharingDevice(
        name: device.displayName, code: "\(device.name)", isThisDevice: device.name == self.device,
        lastSynced: seen.map { Timestamp(millisecondsSince1970: $0.writtenMilliseconds) },
        lastActive: seen.map { Timestamp(millisecondsSince1970: $0.activeMilliseconds) })
    }
  }
}
