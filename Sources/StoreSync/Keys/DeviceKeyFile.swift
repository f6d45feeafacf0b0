import AgeFile
import ByteStreams
import Foundation

/// The file with the secret key of this device. It is next to the store and never in it: a store
/// that is copied does not copy the key.
///
/// It is an identity file of age, so `age -d -i FILE` opens the folder's key files.
package enum DeviceKeyFile {
  /// Why the file cannot be used.
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such file.
    case missing(path: String)
    /// It exists already, and is not replaced.
    case exists(path: String)
    /// It contains no secret key, or more than one.
    case notAKey(path: String, reason: String)
    /// The system reports something else.
    case failed(path: String, reason: String)

    /// One sentence that names the file.
    package var description: String {
      switch self {
      case .missing(let path): "\(path): There is no device key."
      case .exists(let path): "\(path): A device key exists already."
      case .notAKey(let path, let reason): "\(path): It is not a device key: \(reason)"
      case .failed(let path, let reason): "\(path): It cannot be used: \(reason)."
      }
    }
  }

  /// The most bytes of the file that are read.
  private static let mostBytes = 1 << 16

  /// Writes the file, durably and as a whole. Only its owner may read and write it.
  ///
  /// - Throws: ``Problem``, for example if the file exists.
  package static func write(_ secret: SecretKey, to path: String) throws(Problem) {
    let text: String
    do throws(AgeError) {
      let publicKey = try AgeSealing().publicKey(of: secret).text()
      text = """
        # The key of this device for its sync folder. Keep it secret, and do not copy it.
        # public key: \(publicKey)
        \(try secret.text())

        """
    } catch {
      throw .failed(path: path, reason: error.description)
    }
    do throws(OutputFailure) {
      let file = try OutputFile(path: path, replacing: false)
      _ = file.write(Array(text.utf8))
      try file.finish()
    } catch {
      switch error {
      case .exists: throw .exists(path: path)
      case .failed(let failure): throw .failed(path: path, reason: failure.reason)
      }
    }
  }

  /// Reads the file.
  ///
  /// - Returns: the key, and whether only the owner of the file may read it.
  /// - Throws: ``Problem``.
  package static func read(_ path: String) throws(Problem) -> (key: SecretKey, isPrivate: Bool) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { throw .missing(path: path) }
      throw .failed(path: path, reason: FileFailure(path: path, code: errno).reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
      throw .notAKey(path: path, reason: "It is not a small ordinary file.")
    }
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FilePath(path).contents()
    } catch {
      throw .failed(path: path, reason: error.reason)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).filter {
      !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace)
    }
    guard let line = lines.first, lines.count == 1 else {
      throw .notAKey(path: path, reason: "It has \(lines.count) keys.")
    }
    do throws(AgeError) {
      return (try SecretKey(text: String(line)), status.st_mode & 0o077 == 0)
    } catch {
      throw .notAKey(path: path, reason: error.description)
    }
  }
}
