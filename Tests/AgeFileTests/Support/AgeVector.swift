import ByteStreams
import Foundation
import Testing

@testable import AgeFile

/// A test vector: a file, the keys that are tried on it, and what must come of it.
struct AgeVector {
  enum Expectation: String {
    case success
    case noMatch = "no match"
    case headerFailure = "header failure"
    case authenticationFailure = "HMAC failure"
    case payloadFailure = "payload failure"
  }

  let file: [UInt8]
  let expectation: Expectation
  /// The SHA-256 of everything that may be given out, also of a file that is damaged later.
  let payloadDigest: String
  let fileKey: String
  let identities: [String]
  let passphrases: [String]

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Vectors")

  /// The names of all vectors.
  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.contains(".") }.sorted()
  }()

  init(_ name: String) throws {
    let bytes = try Array(Data(contentsOf: Self.folder.appendingPathComponent(name)))
    let end = try #require(bytes.indices.dropLast().first { bytes[$0...($0 + 1)] == [10, 10] })
    var fields: [String: [String]] = [:]
    for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
      try #require(parts.count == 2, "\(line)")
      fields[parts[0], default: []].append(parts[1])
    }
    let known = [
      "expect", "payload", "file key", "identity", "passphrase", "comment", "compressed",
    ]
    try #require(fields.keys.allSatisfy(known.contains), "an unknown field of \(name)")
    let expect = try #require(fields["expect"]?.first)
    expectation = try #require(Expectation(rawValue: expect))
    payloadDigest = fields["payload"]?.first ?? SHA256.hexadecimal(of: [])
    fileKey = try #require(fields["file key"]?.first)
    identities = fields["identity"] ?? []
    passphrases = fields["passphrase"] ?? []
    let body = Array(bytes[(end + 2)...])
    file = fields["compressed"] == nil ? body : try Self.expanded(body)
  }

  private static func expanded(_ bytes: [UInt8]) throws -> [UInt8] {
    let stream = ZlibStream()
    var result: [UInt8] = []
    bytes.withUnsafeBytes {
      stream.read($0) {
        result.append(contentsOf: $0)
        return true
      }
    }
    try #require(stream.state == .ended)
    return result
  }
}

extension AgeVector.Expectation {
  /// What an error means in the words of the vectors.
  init(_ error: AgeError) throws {
    switch error {
    case .noIdentityMatches: self = .noMatch
    case .headerAuthenticationFailed: self = .authenticationFailure
    case .notAnAgeFile, .unsupportedVersion, .headerDamaged, .truncated(.header):
      self = .headerFailure
    case .payloadDamaged, .trailingBytes, .truncated(.payload): self = .payloadFailure
    default: throw error
    }
  }
}
