import Foundation
import TestSupport
import Testing

@testable import StoreLock

/// Tar archives, written and taken apart.
@Suite struct TarTests {
  /// The members of an archive that is given in pieces of random sizes.
  private func members(_ bytes: [UInt8], _ random: inout SplitMix64) throws
    -> [(TarHeader, [UInt8])]
  {
    var (parser, members, rest) = (TarParser(), [(TarHeader, [UInt8])](), bytes[...])
    var isOpen = false
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int(random.next() % 1_500) + 1))
      rest = rest.dropFirst(piece.count)
      try piece.withUnsafeBytes { bytes in
        try parser.append(bytes) { event in
          switch event {
          case .member(let header):
            #expect(!isOpen)
            members.append((header, []))
            isOpen = true
          case .bytes(let bytes): members[members.count - 1].1 += bytes
          case .endOfMember:
            #expect(isOpen)
            isOpen = false
          }
        }
      }
    }
    try parser.finish()
    return members
  }

  private func archive(_ files: [(TarHeader, [UInt8])]) -> [UInt8] {
    files.flatMap { header, bytes in
      header.block + bytes
        + [UInt8](repeating: 0, count: TarHeader.paddingBytes(after: bytes.count))
    } + TarHeader.end
  }

  private func files(_ random: inout SplitMix64) -> [(TarHeader, [UInt8])] {
    (0..<Int(random.next() % 5)).map { index in
      let count = [0, 1, 511, 512, 513, Int(random.next() % 3_000)][Int(random.next() % 6)]
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let name = "file \(index)" + String(repeating: "é", count: Int(random.next() % 40))
      return (TarHeader(name: name, size: count, seconds: Int(random.next() % 1 << 33)), bytes)
    }
  }

  @Test(arguments: Seeds.sample(60))
  func `an archive in pieces has the members that were written`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let files = files(&random)
    let read = try members(archive(files), &random)
    #expect(read.map(\.0) == files.map(\.0) && read.map(\.1) == files.map(\.1))
  }

  @Test func `an archive that ends early is not complete`() throws {
    var random = SplitMix64(seed: 3)
    let whole = archive([(TarHeader(name: "a", size: 700), [UInt8](repeating: 7, count: 700))])
    for count in 0..<whole.count {
      #expect(throws: TarHeader.Problem.self) { try members(Array(whole[..<count]), &random) }
    }
    #expect(try members(whole, &random).count == 1)
    #expect(throws: TarHeader.Problem.self) { try members(whole + [1], &random) }
  }

  @Test func `a changed byte of a header is noticed`() throws {
    let block = TarHeader(name: "store.sqlite", size: 12_345, seconds: 1_700_000_000).block
    for index in block.indices {
      var changed = block
      changed[index] ^= 1
      let read = try? TarHeader(block: changed)
      // The checksum ends with a zero and a space, which programs write in several ways.
      #expect(read == nil || (154..<156).contains(index), "byte \(index)")
    }
  }

  @Test(arguments: [
    "store.sqlite-sync/../x", "store.sqlite-sync/..", "store.sqlite-sync/.", "store.sqlite-sync/",
    "store.sqlite-sync/a/b", "store.sqlite-sync/../\u{301}x", "store.sqlite-sync/a/\u{301}b",
    "store.sqlite/../x", "../store.sqlite", "/store.sqlite", "store.sqlite-sync/lock",
  ])
  func `a name that leads to another folder is no file of a store`(name: String) {
    #expect(StoreFile(name: name) == nil)
  }

  @Test(arguments: [0, 1, 0o7777, 1 << 33 - 1, 1 << 33, 1 << 40, Int.max])
  func `sizes beyond eight gigabytes are kept`(size: Int) throws {
    let header = TarHeader(name: "a", size: size, seconds: size)
    #expect(try TarHeader(block: header.block) == header)
  }

  @Test func `tar lists and extracts an archive`() throws {
    let folder = try TemporaryFolder()
    let files = [
      (TarHeader(name: "store.sqlite", size: 1_000, seconds: 1_700_000_000), [UInt8](0..<250)),
      (TarHeader(name: "store.sqlite-sync/device.key", size: 3, seconds: 1), [1, 2, 3]),
    ].map { ($0.0, $0.0.size == 1_000 ? Array(repeating: $0.1, count: 4).flatMap(\.self) : $0.1) }
    let path = try folder.write(archive(files), to: "archive.tar")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["tar", "-xf", path, "-C", folder.path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    for (header, bytes) in files {
      let read = FileManager.default.contents(atPath: folder.file(header.name))
      #expect(read.map { Array($0) } == bytes)
    }
  }
}
