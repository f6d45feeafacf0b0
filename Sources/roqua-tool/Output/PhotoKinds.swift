/// The extensions of photos and videos, in lower case.
enum PhotoKinds {
  /// Pictures that are photos.
  private static let photos: Set<String> = [
    "jpg", "jpeg", "jpe", "heic", "heif", "hif", "jxl", "dng", "cr2", "cr3", "crw", "nef", "nrw",
    "arw", "srf", "sr2", "raf", "orf", "rw2", "pef", "srw", "x3f", "3fr", "iiq", "gpr",
  ]
  /// Pictures that are more often drawings, scans and screenshots.
  private static let drawings: Set<String> = ["png", "tif", "tiff", "webp", "avif"]
  private static let videos: Set<String> = [
    "mov", "mp4", "m4v", "qt", "3gp", "3g2", "avi", "mts", "m2ts", "insv", "lrv",
  ]

  /// Whether a file is probably a photo.
  static func isPhoto(_ kind: String) -> Bool { photos.contains(kind) }

  /// Whether a file may state where and when it was taken.
  static func mayBeTaken(_ kind: String) -> Bool {
    photos.contains(kind) || drawings.contains(kind) || videos.contains(kind)
  }
}
