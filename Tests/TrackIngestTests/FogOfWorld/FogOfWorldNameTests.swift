import ByteStreams
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct FogOfWorldNameTests {
  /// Made with Python's hashlib.
  private static let names = [
    (7, "8f14ten"), (42, "a1d0jhdz"), (512, "10a7slhiz"), (12_345, "827clhwjsdw"),
    (131_072, "f7delwlothnz"), (262_143, "fb99hkhljwdx"),
  ]

  @Test func `the digest is that of the examples of RFC 1321`() {
    let examples = [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    ]
    for (text, digest) in examples {
      #expect(ShortMD5.hexadecimal(text.utf8) == digest)
      #expect(FogOfWorldTile.md5(Array(text.utf8)) == digest)
    }
  }

  @Test func `a name gives the number of its tile`() throws {
    for (number, name) in Self.names {
      #expect(FogOfWorldTile(number: number).name == name)
      for path in [
        name, "a/Sync/" + name, "Sync\\" + name, name.uppercased(), name + " (1)", name + ".gz",
      ] {
        let read = try #require(FogOfWorldName(path: path), "\(path)")
        #expect(read.number == number)
        #expect(read.isCertain)
      }
    }
  }

  @Test(arguments: Seeds.sample(200))
  func `any tile of the world has a name that is read`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let number = Int.random(in: 0..<512 * 512, using: &random)
    let name = try #require(FogOfWorldName(path: FogOfWorldTile(number: number).name))
    #expect(name.number == number)
    #expect(name.isCertain)
  }

  @Test func `a name with another beginning gives the number but is not certain`() throws {
    let name = try #require(FogOfWorldName(path: "ffffjhdz"))
    #expect(name.number == 42)
    #expect(!name.hasRightPrefix)
    #expect(!name.isCertain)
  }

  @Test func `a tile beyond the map is not certain`() throws {
    let name = try #require(FogOfWorldName(path: "4a1dhkhljjdd"))
    #expect(name.number == 262_144)
    #expect(name.hasRightPrefix)
    #expect(!name.isOnMap)
    #expect(!name.isCertain)
  }

  @Test(arguments: [
    "", "/", "tile", "a1d0jhd", "a1d0jhde", "a1d0jhez", "g1d0jhdz", "a1d0", "a1d0jhdzz", "a1d0dz",
    "a1d0j-dz", "a1d0ojhdz", "827clhwjsdwlhwjsdw", "a1d0jhdz/b", "été0jhdz", "track.gpx", "README",
  ])
  func `other names say nothing`(path: String) { #expect(FogOfWorldName(path: path) == nil) }

  @Test func `a changed letter is noticed`() throws {
    for (number, name) in Self.names {
      for index in name.indices {
        for letter in "0123456789abcdefhijklmnorstwxz" where letter != name[index] {
          var changed = name
          changed.replaceSubrange(index...index, with: String(letter))
          let read = FogOfWorldName(path: changed)
          #expect(read?.isCertain != true, "\(changed)")
          if let read { #expect(read.number == number || !read.hasRightPrefix) }
        }
      }
    }
  }

  @Test func `files of the folders of a snapshot's summaries are recognized`() {
    for path in ["Model/~/ab", "a.fwss/Model/#/ab", "Model\\~\\ab"] {
      #expect(FogOfWorldName.isSummary(path: path))
    }
    for path in ["", "~", "Model/*/ab", "Sync/ab", "~/Sync/ab", "#/a/b"] {
      #expect(!FogOfWorldName.isSummary(path: path))
    }
  }
}
