import ByteStreams
import Foundation

/// The free space of volumes.
enum VolumeSpace {
  /// Whether no space, or no room for another file, is left on the volume of a file.
  static func isUsedUp(at path: String) -> Bool {
    var volume = statvfs()
    guard statvfs(FilePath(FilePath(path).resolved).folder, &volume) == 0 else { return false }
    // A file system that creates inodes on demand (Btrfs) counts none at all.
    return volume.f_bavail == 0 || volume.f_files > 0 && volume.f_favail == 0
  }
}
