/// Why a device cannot use a sync folder.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// do {
///   try await shared.remove("Phone")
/// } catch SharingError.notRead(_, let device) {
///   print("Sync \(device) first, or its last changes are lost.")
/// } catch SharingError.noSuchDevice(_, let name) {
///   print("No device is called \(name).")
/// }
/// ```
public enum SharingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder belongs to other devices, and none of its key files is for this one.
  case notAMember(path: String, publicKey: String)
  /// The device was removed from the folder.
  case removed(path: String)
  /// The newest keys of the folder are not for the device, so it cannot change who belongs to the
  /// folder: it was removed, or the others have not seen each other's changes yet.
  case newerKeys(path: String, files: [String])
  /// The folder has key files of several folders.
  case severalFolders(path: String, fingerprints: [String])
  /// The folder is another one than the device knows.
  case otherFolder(path: String)
  /// The folder is not the one with the fingerprint that was stated.
  case otherFingerprint(path: String)
  /// The folder holds the keys of a device (STORE-sync), which must not be shared.
  case keyFolder(path: String)
  /// Another sync of the store is running.
  case busy(path: String)
  /// A fingerprint or a recovery key was stated, and the folder has no keys.
  case empty(path: String)
  /// The device has used the folder before, and it has no keys any more.
  case emptied(path: String)
  /// The device was removed before: a removed key is never added again.
  case removedKey(path: String)
  /// The recovery key opens none of the key files of the folder.
  case otherRecoveryKey(path: String)
  /// The recovery key was replaced by another one.
  case recoveryKeyReplaced(path: String)
  /// The device does not know the folder yet, and its key files contradict each other, as if a
  /// device that was removed had written some of them.
  case contradictory(path: String)
  /// What the device last sent to the folder has not arrived, and would be lost.
  case notRead(path: String, device: String)
  /// There is no such device.
  case noSuchDevice(path: String, name: String)
  /// Several devices have this name.
  case severalDevices(path: String, name: String, codes: [String])
  /// A device of the folder has this name already.
  case nameTaken(path: String, name: String)

  /// What to delete so that a store is a new device.
  private static let ownKeys =
    "the folder with the keys next to the store (STORE-sync; for a day, a store that was replaced "
    + "is in it, too)"

  /// What happened and what to do, in plain words.
  public var description: String {
    switch self {
    case .notAMember(let path, let publicKey):
      "\(path): this folder belongs to other devices, which must add this one by its public key "
        + publicKey
    case .removed(let path):
      "\(path): this device was removed from the folder; to join it again, delete \(Self.ownKeys)"
    case .newerKeys(let path, let files):
      "\(path): its newest key files (\(files.joined(separator: ", "))) are not for this device:"
        + " it was removed, the other devices have not seen each other's changes yet, or somebody "
        + "else put the files there; sync the other devices first; only if this device was removed,"
        + " delete \(Self.ownKeys) to join again"
    case .severalFolders(let path, let fingerprints):
      "\(path): it has the keys of several folders (\(fingerprints.joined(separator: ", "))); "
        + "state the fingerprint of the right one"
    case .otherFolder(let path):
      "\(path): this store has the keys of another sync folder; to use this one instead, delete "
        + Self.ownKeys
    case .otherFingerprint(let path):
      "\(path): the folder has another fingerprint than the one that was given"
    case .keyFolder(let path):
      "\(path): it has a device.key, so it holds the keys of a device, which must not be shared; "
        + "name another folder"
    case .busy(let path): "\(path): another sync of this store is running"
    case .empty(let path):
      "\(path): it has no keys; perhaps its files are not there yet"
    case .emptied(let path):
      "\(path): it is empty, although this store has synced with it; perhaps its disk is not "
        + "connected"
    case .removedKey(let path):
      "\(path): a device with this key was removed; to give it a new key, delete the folder with "
        + "the keys next to its store (STORE-sync) there, and let it join again"
    case .otherRecoveryKey(let path):
      "\(path): this recovery key opens none of the folder's key files; it is the key of another "
        + "folder, was replaced, or the files are not there yet"
    case .recoveryKeyReplaced(let path):
      "\(path): this recovery key was replaced; use the new one, or let another device add this one"
    case .contradictory(let path):
      "\(path): its key files contradict each other, as if a removed device had written some; sync "
        + "a device of the folder, see which files it names, and delete those"
    case .notRead(let path, let device):
      "\(path): the last manifest of \(device) has not arrived or cannot be read; what is in it "
        + "would be lost"
    case .noSuchDevice(let path, let name):
      "\(path): it has no device \(name)"
    case .severalDevices(let path, let name, let codes):
      "\(path): \(name) names the devices \(codes.joined(separator: " and ")): give the code"
    case .nameTaken(let path, let name):
      "\(path): a device is called \(name) already; give another name"
    }
  }
}
