import ByteStreams
import TrackIngest

/// The members of archives.
extension FileDecoder {
  /// An archive in a file, or in an archive in a file: where it is, and what it turned out to be.
  struct Archive {
    /// The path of the archive, for reports.
    let path: String
    /// The name of its format.
    var format = "zip"
    /// What is before the name of a member in warnings: the archive's own name if it is nested.
    var prefix = ""
    /// True if the archive is in another one, so that an archive in it is not read.
    var isNested = false

    /// The number of members, without folders. The members of an archive in the archive count, it
    /// does not.
    var count = 0
    /// The names of members, at most ``namesAtMost``: they show what the archive is.
    var names: Set<String> = []
    /// The reason why reading the archive ended.
    var failure: IngestError?
    /// Warnings about the archive as a whole.
    var warnings: [IngestWarning] = []
    /// True if the reader of the queue has stopped.
    var isAbandoned = false

    /// The number of names that are kept.
    static let namesAtMost = 1_000
  }

  /// Decodes the members of an archive, each of which is a source or again an archive.
  func decodeMembers(
    of zip: ZipArchive, _ archive: inout Archive, into sender: inout SourceSender
  ) {
    do {
      while let member = try zip.next() {
        guard !member.isFolder else { continue }
        archive.count += 1
        if archive.names.count < Archive.namesAtMost { archive.names.insert(member.name) }
        let head = zip.head(of: member, count: 4)
        let isArchive = head.withUnsafeBytes { ContentKind(prefix: $0) } == .zip
        let goesOn =
          !isArchive
          ? decode(member, of: zip, archive, into: &sender)
          : archive.isNested
            ? leaveOut(member, of: zip, archive, into: &sender)
            : decodeArchive(in: member, of: zip, &archive, into: &sender)
        guard goesOn else {
          archive.isAbandoned = true
          return
        }
      }
    } catch {
      archive.failure = IngestError(error)
    }
    archive.warnings = zip.warnings.map { IngestWarning($0) }
  }

  /// Decodes a member that is a source; returns false if the reader of the queue has stopped.
  private func decode(
    _ member: ZipMember, of zip: ZipArchive, _ archive: Archive, into sender: inout SourceSender
  ) -> Bool {
    let source = SourceBytes(
      path: archive.path + "/" + member.name,
      isClaimedTrack: FoundFile.claimsTrack(memberName: member.name), isFile: false,
      expectedBytes: zip.canReadAgain ? member.expandedBytes : nil, budget: zip.budget
    ) { sink in zip.read(member, to: sink) }
    return decode(member: source, member.name, of: archive, into: &sender)
  }

  /// Decodes a member that is a source; returns false if the reader of the queue has stopped.
  func decode(
    member source: SourceBytes, _ memberName: String, of archive: Archive,
    into sender: inout SourceSender
  ) -> Bool {
    let name = archive.prefix + memberName
    switch decode(source, into: &sender) {
    case .reported: break
    case .noTrack(let reason):
      sender.ignore(memberName)
      if let reason, reason.isAdvice { sender.advise(reason, about: name) }
    case .unsupported(let kind): sender.skip(kind)
    case .archive: sender.leaveOut(name, for: .isArchive)
    case .unreadable(let error): sender.leaveOut(name, for: .unreadable(error))
    case .abandoned: return false
    }
    return true
  }

  /// Decodes an archive in an archive; returns false if the reader of the queue has stopped.
  private func decodeArchive(
    in member: ZipMember, of zip: ZipArchive, _ outer: inout Archive,
    into sender: inout SourceSender
  ) -> Bool {
    let path = outer.path + "/" + member.name
    let reported = sender.reported
    let passedOver = sender.passedOver
    var inner = Archive(path: path, prefix: member.name + "/", isNested: true)
    var hasLostDirectory = false
    do {
      explainer?.open(
        archive: path, format: inner.format,
        evidence: zip.head(of: member, count: 4).withUnsafeBytes { ContentEvidence(prefix: $0) })
      let innerZip = try zip.archive(in: member)
      hasLostDirectory = innerZip.hasLostDirectory
      decodeMembers(of: innerZip, &inner, into: &sender)
      if inner.isAbandoned { return false }
      let ending = zip.end(member)
      inner.warnings += ending.warnings.map { IngestWarning($0) }
      inner.failure = inner.failure ?? ending.error.map { IngestError($0) }
    } catch {
      inner.failure = IngestError(error)
    }
    explainer?.close(archive: path, warnings: inner.warnings)
    outer.count += inner.count - 1
    guard sender.reported == reported else {
      if let failure = inner.failure { refuse(path, failure, into: &sender) }
      sender.note(inner.warnings, of: member.name)
      return true
    }
    // As for an archive in a folder: without a track it counts as one file.
    let hasSkipped = sender.passedOver.unsupported != passedOver.unsupported
    sender.forgetIgnored(since: passedOver)
    let isClaimed = FoundFile.claimsTrack(memberName: member.name)
    if let kind = Self.kind(of: path, members: inner.names), !hasSkipped {
      if isClaimed {
        refuse(path, IngestError(unsupported: kind), into: &sender)
      } else {
        sender.skip(kind)
      }
      return true
    }
    let isCut = !inner.warnings.isEmpty
    let reason =
      inner.failure ?? Self.reasonForNone(lookedAt: inner.count, isCut: isCut, format: inner.format)
    if isClaimed {
      refuse(path, reason, into: &sender)
    } else if inner.failure != nil || isCut {
      sender.leaveOut(outer.prefix + member.name, for: .unreadable(reason))
      // There may have been tracks in it. A sound archive that is read as a stream may also end
      // with a warning, after its members: an Android app, or an encrypted archive.
      if inner.failure != nil || inner.count == 0 || hasLostDirectory {
        sender.mustSayWhyNone = true
      }
      explainer?.ignore(path, because: reason.message)
    } else if !hasSkipped {
      sender.ignore(member.name)
    }
    return true
  }

  /// Leaves out an archive in an archive in an archive. Only the names in it are read, because they
  /// may show tracks. Always returns true.
  private func leaveOut(
    _ member: ZipMember, of zip: ZipArchive, _ archive: Archive, into sender: inout SourceSender
  ) -> Bool {
    let path = archive.path + "/" + member.name
    if FoundFile.claimsTrack(memberName: member.name) {
      refuse(
        path,
        IngestError(
          code: .unknownFormat,
          message: "It is an archive in an archive in an archive; unpack the outer ones first."),
        into: &sender)
    } else if let kind = UnsupportedKind(fileName: path) {
      sender.skip(kind)
      explainer?.ignore(path, because: IngestError(unsupported: kind).message)
    } else {
      sender.leaveOut(archive.prefix + member.name, for: .isArchive)
      explainer?.ignore(path, because: "It is an archive in an archive in an archive.")
      if Self.namesTrack(member, of: zip) { sender.mustSayWhyNone = true }
    }
    return true
  }

  /// Whether a member of an archive in an archive has the name of a track.
  private static func namesTrack(_ member: ZipMember, of zip: ZipArchive) -> Bool {
    guard let inner = try? zip.archive(in: member) else { return false }
    while let found = try? inner.next() {
      if FoundFile.claimsTrack(memberName: found.name) { return true }
    }
    return false
  }
}
