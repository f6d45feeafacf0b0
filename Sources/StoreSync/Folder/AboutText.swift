extension SyncDirectory {
  /// Writes the text that explains the folder to people who find it, if there is none.
  ///
  /// - Throws: ``SyncDirectoryError``. A text of another version or language is kept.
  package func writeAbout() throws(SyncDirectoryError) {
    do throws(SyncDirectoryError) {
      try write(Array(aboutText.utf8), to: FoundName.about, in: "")
    } catch {
      guard case .exists = error else { throw error }
    }
  }
}

/// The same in every folder, so that it says nothing about it.
private let aboutText = """
  This folder carries a history of visited places between the devices of one person.
  It belongs to Roqua, which syncs the history through it.

  Do not change, rename or delete anything in it: the devices would miss it.
  You may copy the folder, and move it as a whole.

  Everything in it is encrypted. Its files are in the age format (https://age-encryption.org),
  and only the devices of that person and the recovery key can read them.

  """
