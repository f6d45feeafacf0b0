import StoreSync
import Testing

@Suite struct FoundNameTests {
  static let stem = "00000000000000010000000000000002-0000000000000003"
  static let source = SyncPath.source(SourceName(high: 1, low: 2), FileName(number: 3))

  /// How programs rename a file when they find two of one name.
  @Test(arguments: [
    // Dropbox, in several languages
    "NAME (Anna's conflicted copy 2024-05-01).age", "NAME (conflicted copy).age",
    "NAME (Annas in Konflikt stehende Kopie 2024-05-01).age",
    "NAME (Copie en conflit de Anna 2024-05-01).age", "NAME (Case Conflict).age",
    "NAME (Unicode Encoding Conflict).age",
    // Syncthing
    "NAME.sync-conflict-20240501-101010-ABCDEFG.age",
    // OneDrive
    "NAME-DESKTOP-QRI9EIH.age", "NAME-ip-172-31-41-236.age",
    "NAME-laptop-safeBackup-0001.age",
    // Google Drive, and browsers
    "NAME (1).age", "NAME (12).age", "NAME(1).age",
    // iCloud Drive
    "NAME 2.age", "NAME 10.age",
    // Nextcloud and ownCloud, present and earlier
    "NAME (conflicted copy 2021-06-16 143218).age",
    "NAME (conflicted copy anna 2021-06-16 143218).age", "NAME_conflict-20180220-141213.age",
    "NAME_conflict-anna-20180220-141213.age",
    // Seafile, pCloud, Synology Drive, Resilio, MEGA
    "NAME (SFConflict anna@example.org 2024-05-01-10-10-10).age", "NAME [conflicted].age",
    "NAME (conflicted).age", "NAME_Andy-PC_Jan-03-0901-2013_CaseConflict_1.age",
    "NAME.Conflict.age", "NAME (2024-05-01).age",
    // rclone bisync, Unison
    "NAME.conflict1.age", "NAME.age.conflict1", "NAME.age..path1",
    "NAME (conflict on 2024-05-01).age",
    // people
    "NAME - Copy.age", "NAME – Kopie.age", "NAME copy.age", "NAME.age (1)",
    // file systems that change the case of letters
    "NAME.AGE",
  ])
  func `renamed copies stand for the file`(text: String) {
    let name = text.replacingOccurrences("NAME", by: Self.stem)
    if text == "NAME.age..path1" {
      // Not distinguished from other endings, so it is left alone.
      #expect(FoundName(name, in: "sources") == .unknown)
      return
    }
    #expect(FoundName(name, in: "sources") == .copy(Self.source))
  }

  @Test(arguments: [
    ".NAME.age.icloud", ".NAME.age-tef.icloud", "NAME.age.nextcloud",
    "NAME.age.owncloud", "NAME.age.opencloud", "NAME.age.cloud", ".NAME 2.age.icloud",
  ])
  func `placeholders of cloud drives are recognized`(text: String) {
    let name = text.replacingOccurrences("NAME", by: Self.stem)
    #expect(FoundName(name, in: "sources") == .placeholder(Self.source))
  }

  @Test(arguments: [
    // Syncthing on Unix and on Windows, also for a renamed copy
    ".syncthing.NAME.age.tmp", "~syncthing~NAME.age.tmp",
    ".syncthing.NAME.sync-conflict-20240501-101010-ABCDEFG.age.tmp",
    // rsync, rclone
    ".NAME.age.Qx71Za", ".NAME.age.GV4H3", "NAME.age.1a2b3c4d.partial", "NAME.age.partial",
    // Nextcloud and ownCloud
    ".NAME.age.~1f2e", "NAME.age.ocTransferId123456.part",
    // browsers, WinSCP, Resilio, Windows
    "NAME.age.part", "NAME.age.crdownload", "NAME.age.download", "NAME.age.opdownload",
    "NAME.age.filepart", "NAME.age.!sync", "NAME.age.bts", "NAME.age.tmp", "NAME.age~tmp",
    "NAME.age~RF1a2b3c.TMP", ".~NAME.age", "~$NAME.age",
  ])
  func `files that are being copied are recognized`(text: String) {
    let name = text.replacingOccurrences("NAME", by: Self.stem)
    #expect(FoundName(name, in: "sources") == .arriving(Self.source))
  }

  @Test(arguments: [
    ".DS_Store", "._NAME.age", "desktop.ini", "Thumbs.db", ".stfolder", ".sync_ab12.db", "@eaDir",
    ".nfs000000000123", "._.DS_Store",
  ])
  func `what systems and drives keep for themselves is ignored`(text: String) {
    let name = text.replacingOccurrences("NAME", by: Self.stem)
    #expect(FoundName(name, in: "sources") == .ignored)
  }

  @Test(arguments: [
    "NAME", "NAMEa.age", "NAME1.age", "NAME.age.bak", "NAME.age.sig", "NAME.txt", "NAME (1).txt",
    "x-NAME.age", "photo.jpg", "", ".", "NAME.ag", "NAME (1)age", "About this folder.txt",
    "0000000000000000-0000000042.age", ".icloud", ".age", "~", ".~", "NAME.agex",
  ])
  func `everything else is unknown`(text: String) {
    let name = text.replacingOccurrences("NAME", by: Self.stem)
    #expect(FoundName(name, in: "sources") == .unknown)
  }

  @Test func `names count only in their own folder`() {
    #expect(FoundName(Self.stem + ".age", in: "sources") == .file(Self.source))
    for folder in ["", "keys", "devices", "backups", "other"] {
      #expect(FoundName(Self.stem + ".age", in: folder) != .file(Self.source), "\(folder)")
    }
    for name in ["About this folder.txt", "keys", "devices", "sources", "backups"] {
      #expect(FoundName(name, in: "") == .ignored)
    }
    let key = SyncPath.key(number: 1, FileName(number: 5))
    #expect(FoundName("000001-0000000000000005 2.age", in: "keys") == .copy(key))
    let manifest = SyncPath.manifest(DeviceName(number: 5), counter: 42)
    #expect(FoundName("0000000000000005-0000000042 2.age", in: "devices") == .copy(manifest))
    #expect(FoundName("0000000000000005-0000000042-Pi.age", in: "devices") == .copy(manifest))
    #expect(FoundName(".roqua-part-1a2b", in: "sources") == .partial)
    #expect(
      FoundName("0000000000000005 (1).age", in: "backups") == .copy(.backup(FileName(number: 5))))
  }
}

extension String {
  fileprivate func replacingOccurrences(_ text: String, by other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }
}
