import Foundation

/// The system's tar, which makes archives that nobody here has written.
public enum TarProgram {
  /// Whether it is GNU's, which has options that others lack.
  public static let isGNU: Bool = {
    #if os(Linux)
      true
    #else
      false
    #endif
  }()

  /// Packs what is in a folder.
  ///
  /// - Parameters:
  ///   - names: the files and folders, in this order.
  ///   - options: further options.
  /// - Throws: `CocoaError` if tar fails.
  public static func pack(
    _ names: [String], in folder: TemporaryFolder, _ options: String...
  ) throws -> [UInt8] {
    let archive = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["tar", "-b", "1", "-cf", archive.file("a.tar"), "-C", folder.path] + options + names
    // macOS would add a member with the attributes of each file.
    process.environment = ProcessInfo.processInfo.environment.merging(["COPYFILE_DISABLE": "1"]) {
      $1
    }
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return try Array(Data(contentsOf: URL(fileURLWithPath: archive.file("a.tar"))))
  }
}
