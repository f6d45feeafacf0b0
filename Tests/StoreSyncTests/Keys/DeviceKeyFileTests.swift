import AgeFile
import Foundation
import StoreSync
import Testing
import TestSupport

@Suite(.enabled(if: Age.isAvailable)) struct DeviceKeyFileTests {
  @Test func `a device key is written once, for its owner only`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite.key")
    let secret = SecretKey.random()
    try DeviceKeyFile.write(secret, to: path)
    let read = try DeviceKeyFile.read(path)
    #expect(read.key == secret && read.isPrivate)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(throws: DeviceKeyFile.Problem.exists(path: path)) {
      try DeviceKeyFile.write(.random(), to: path)
    }
    #expect(try DeviceKeyFile.read(path).key == secret)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    #expect(chmod(path, 0o640) == 0)
    #expect(try !DeviceKeyFile.read(path).isPrivate)
    // The second line has the public key, as age-keygen writes it.
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let publicKey = try AgeSealing().publicKey(of: secret).text()
    #expect(text.split(separator: "\n")[1] == "# public key: \(publicKey)")
  }

  @Test func `what is no device key is refused with its name`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("key")
    #expect(throws: DeviceKeyFile.Problem.missing(path: path)) { try DeviceKeyFile.read(path) }
    let key = try SecretKey.random().text()
    let texts = ["", "# only a comment\n", "\(key)\n\(key)\n", "hello\n", String(key.dropLast())]
    for text in texts {
      try folder.write(text, to: "key")
      do throws(DeviceKeyFile.Problem) {
        _ = try DeviceKeyFile.read(path)
        Issue.record("It was read: \(text.count) characters")
      } catch {
        guard case .notAKey(path, _) = error else {
          Issue.record("Another problem: \(error)")
          continue
        }
        #expect(error.description.hasPrefix(path) && !error.description.contains(key))
      }
    }
    #expect(throws: DeviceKeyFile.Problem.self) { try DeviceKeyFile.read(folder.path) }
  }
}
