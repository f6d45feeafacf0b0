import ByteStreams
import Foundation

/// The free space of volumes.
enum VolumeSpace {
  /// Returns whether the volume of a file has no space left, or no room for another file.
  static func isUsedUp(at path: String) -> Bool {
    var volume = statvfs()
    guard statvfs(FilePath(FilePath(path).resolved).folder, &volume) == 0 else { return false }
    // A file system that creates inodes on demand (Btrfs) reports none at all.
    return volume.f_bavail == 0 || volume.f_files > 0 && volume.f_favail == 0
  }
}
