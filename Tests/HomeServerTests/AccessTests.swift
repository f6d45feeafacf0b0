import Foundation
import PhoneProtocols
import Synchronization
import TestSupport
import Testing

@testable import HomeServer

@Suite struct AccessTests {
  @Test func `a token is found by its hash alone, and only that one`() {
    let made = (0..<50).map { AccessToken.make(named: "phone-\($0)", scope: .phone) }
    #expect(Set(made.map(\.secret)).count == 50)
    let tokens = made.map(\.token)
    for (secret, token) in made {
      #expect(AccessToken.find(AccessToken.hash(of: secret), in: tokens) == token)
      #expect(AccessToken.find(AccessToken.hash(of: secret + "x"), in: tokens) == nil)
      #expect(!tokens.contains { $0.hash.contains(secret) })
      // As a segment of a path and as a value of a query, it stands as it is.
      #expect(secret.utf8.count == 43 && FormFields.decoded(secret.utf8) == Array(secret.utf8))
    }
    #expect(AccessToken.find("", in: tokens) == nil)
  }

  @Test(arguments: ["", "a b", "a/b", "é", ".x", "a\tb", String(repeating: "a", count: 65)])
  func `a name that is not plain is refused`(name: String) {
    #expect(AccessToken.reasonToRefuse(name: name) != nil)
  }

  @Test func `the file is private, and gives back what was written`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(ofStore: folder.file("new/s.sqlite"))
    #expect(try file.read() == [])
    let tokens = [
      AccessToken.make(named: "a.b-c_1", scope: .phone).token,
      AccessToken.make(named: "b", scope: .reader).token,
    ]
    try file.write(tokens)
    #expect(try file.read() == tokens)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    #expect(throws: TokenFile.Failure.readable(path: file.path)) { try file.read() }
  }

  @Test func `a damaged file is named with its line`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(ofStore: folder.file("s.sqlite"))
    try file.write([AccessToken.make(named: "a", scope: .phone).token])
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("b\tphone\n".utf8))
    #expect(throws: TokenFile.Failure.damaged(path: file.path, line: 2)) { try file.read() }
  }

  @Test func `a file that cannot be written is reported in words`() throws {
    let folder = try TemporaryFolder()
    let token = AccessToken.make(named: "a", scope: .phone).token
    func failure(at store: String) throws -> String {
      let file = TokenFile(ofStore: store)
      let failure = #expect(throws: TokenFile.Failure.self) { try file.write([token]) }
      return try #require(failure).description.replacingOccurrences(of: folder.path, with: "")
    }
    try folder.write("", to: "file")
    #expect(
      try failure(at: folder.file("file/s.sqlite"))
        == "/file/s.sqlite.tokens: cannot be written: Not a directory")
    let path = TokenFile(ofStore: folder.file("s.sqlite")).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(
      try failure(at: folder.file("s.sqlite"))
        == "/s.sqlite.tokens: cannot be written: it is a folder")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `a full disk is reported as one`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(ofStore: folder.file("s.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: "/dev/full")
    let token = AccessToken.make(named: "a", scope: .phone).token
    #expect(throws: TokenFile.Failure.unwritable(path: file.path, reason: "the disk is full")) {
      try file.write([token])
    }
  }

  @Test func `changes at the same time are all kept`() throws {
    let folder = try TemporaryFolder()
    let file = TokenFile(ofStore: folder.file("s.sqlite"))
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 60) { number in
      do {
        try file.change { tokens in
          tokens.append(AccessToken.make(named: "phone-\(number)", scope: .phone).token)
        }
        guard number.isMultiple(of: 3) else { return }
        try file.change { $0.removeAll { $0.name == "phone-\(number)" } }
      } catch {
        failures.withLock { $0 += 1 }
      }
    }
    #expect(failures.withLock { $0 } == 0)
    let expected = (0..<60).filter { !$0.isMultiple(of: 3) }.map { "phone-\($0)" }
    #expect(try file.read().map(\.name).sorted() == expected.sorted())
  }

  @Test func `a key has its burst, and then what the rate gives`() {
    var limiter = RateLimiter(perSecond: 2, burst: 5)
    func taken(_ key: String, at seconds: Double) -> Int {
      var count = 0
      for _ in 0..<10 where limiter.take(key, at: seconds) { count += 1 }
      return count
    }
    // A time that runs backwards gives nothing.
    let counts = [("a", 0.0), ("b", 0), ("a", 1), ("a", 1_000), ("a", 0)].map(taken)
    #expect(counts == [5, 5, 2, 5, 0])
  }

  @Test func `the memory of a limiter is bounded`() {
    var limiter = RateLimiter(perSecond: 1, burst: 5)
    for key in 0..<3 * RateLimiter.maximumKeys { _ = limiter.take("\(key)", at: 0) }
    #expect(limiter.keyCount <= RateLimiter.maximumKeys)
  }

  @Test(arguments: [
    ("Bearer abc", "/", "abc"), ("bearer abc", "/", "abc"),
    ("Basic dXNlcjphYmM=", "/", "abc"), ("Basic dXNlcjphOmI=", "/", "a:b"),
    ("Basic OmFiYw", "/", "abc"), ("Basic !!", "/", ""), ("Basic", "/", ""), ("Digest x", "/", ""),
    ("", "/x?a=1&token=abc", "abc"), ("", "/x?token=", ""), ("Bearer a", "/?token=b", "a"),
  ]) func `a token is read where apps put it`(header: String, target: String, token: String) throws
  {
    let request = ServerRequest(
      method: "GET", target: target, headers: header.isEmpty ? [] : [("Authorization", header)])
    let parsed = try #require(RequestTarget(target))
    #expect(Credentials.token(of: request, parsed, allowsCookie: true) ?? "" == token)
  }

  @Test func `a cookie counts only for reading`() throws {
    let request = ServerRequest(
      method: "GET", target: "/", headers: [("Cookie", "a=b; roqua_token=abc; c=d")])
    let target = try #require(RequestTarget("/"))
    #expect(Credentials.token(of: request, target, allowsCookie: true) == "abc")
    #expect(Credentials.token(of: request, target, allowsCookie: false) == nil)
  }

  @Test func `Base64 is decoded as Foundation decodes it`() {
    for count in 0..<40 {
      let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) })
      #expect(Credentials.base64(data.base64EncodedString()) == Array(data))
    }
  }

  @Test(arguments: [
    "/../etc/passwd", "/a/../b", "/a/./b", "/%2e%2e/x", "/a%2fb", "//a", "/a//b", "/%00",
    "/a%0d%0ab", "http://x/y", "*", "", "a", "/%c0%ae", "/é", "/a b", "/1/2/3/4/5/6/7/8/9",
  ]) func `a path with a trick is not found`(target: String) {
    #expect(RequestTarget(target) == nil)
  }

  @Test func `a path is taken apart`() throws {
    #expect(try #require(RequestTarget("/")).segments == [])
    #expect(try #require(RequestTarget("/api/stats/?by=year")).segments == ["api", "stats"])
    #expect(try #require(RequestTarget("/a%2Bb+c")).segments == ["a+b+c"])
    #expect(RequestTarget("/" + String(repeating: "a", count: RequestTarget.maximumBytes)) == nil)
  }
}
