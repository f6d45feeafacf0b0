import StoreSync
import Testing
import TestSupport

@Suite struct FolderListingTests {
  static let stem = FoundNameTests.stem
  static let source = FoundNameTests.source

  func entry(_ name: String, size: Int = 712, time: Int64 = 0, isFile: Bool = true)
    -> SyncDirectoryEntry
  {
    SyncDirectoryEntry(
      name: name, byteCount: size, modifiedMilliseconds: time, isFile: isFile)
  }

  @Test func `the file itself comes before renamed copies, and an awaited file is not one`() {
    let stem = Self.stem
    let listing = FolderListing([
      "sources": [
        entry("\(stem) 2.age", size: 900), entry("\(stem) (1).age", size: 900),
        entry("\(stem).age", size: 800), entry(".\(stem).age.icloud", size: 160),
        entry("note.txt"), entry(".roqua-part-7", time: 5), entry(".DS_Store"),
        entry("\(stem).age.d", isFile: false),
      ],
      "": [entry("About this folder.txt"), entry("sources", isFile: false), entry("x")],
    ])
    #expect(
      listing.files[Self.source]?.map(\.name) == [
        "\(stem).age", "\(stem) (1).age", "\(stem) 2.age",
      ])
    #expect(listing.files[Self.source]?.map(\.isCopy) == [false, true, true])
    #expect(listing.awaited.isEmpty)
    #expect(listing.partials.map(\.name) == [".roqua-part-7"])
    #expect(listing.unknown == ["sources/\(stem).age.d", "sources/note.txt", "x"])
  }

  @Test func `a file is awaited if only a placeholder, half of it, or nothing is there`() {
    let stem = Self.stem
    let names: [(String, Int, FolderListing.Delay)] = [
      (".\(stem).age.icloud", 160, .placeholder), ("\(stem).age", 0, .placeholder),
      ("\(stem).age", 511, .arriving), (".syncthing.\(stem).age.tmp", 4000, .arriving),
    ]
    for (name, size, delay) in names {
      let listing = FolderListing(["sources": [entry(name, size: size, time: 3)]])
      #expect(listing.files.isEmpty)
      #expect(listing.awaited[Self.source]?.delay == delay, "\(name)")
      #expect(listing.awaited[Self.source]?.name == name)
    }
    // A link or a folder with a right name is nothing to wait for.
    let listing = FolderListing(["sources": [entry("\(stem).age", isFile: false)]])
    #expect(listing.awaited.isEmpty && listing.files.isEmpty)
    #expect(listing.unknown.count == 1)
  }

  @Test func `files are sorted by kind, key files by number`() {
    func key(_ number: UInt64) -> SyncPath { .key(number: number, FileName(number: 1)) }
    let keys = [key(1_000_000), key(2), key(999_999)]
    let devices = [
      SyncPath.manifest(DeviceName(number: 1), counter: 11),
      .manifest(DeviceName(number: 1), counter: 9), .manifest(DeviceName(number: 2), counter: 1),
    ]
    let backup = SyncPath.backup(FileName(number: 4))
    let listing = FolderListing([
      "keys": keys.map { entry($0.name) }, "devices": devices.map { entry($0.name) },
      "sources": [entry(Self.source.name)], "backups": [entry(backup.name)],
    ])
    #expect(listing.keys == [key(2), key(999_999), key(1_000_000)])
    #expect(
      listing.manifests == [DeviceName(number: 1): [9, 11], DeviceName(number: 2): [1]])
    #expect(listing.sources == [SourceName(high: 1, low: 2): [FileName(number: 3)]])
    #expect(listing.backups == [backup])
  }

  @Test(arguments: Seeds.sample(50))
  func `the order of entries does not matter`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let names = [
      "\(Self.stem).age", "\(Self.stem) 2.age", ".\(Self.stem).age.icloud",
      ".syncthing.\(Self.stem).age.tmp", "b", "a", ".roqua-part-1", ".roqua-part-2",
    ]
    let entries = names.filter { _ in Bool.random(using: &random) }.map {
      entry(
        $0, size: [0, 600].randomElement(using: &random) ?? 0,
        time: .random(in: 0...2, using: &random))
    }
    let expected = FolderListing(["sources": entries])
    #expect(FolderListing(["sources": entries.shuffled(using: &random)]) == expected)
  }
}
