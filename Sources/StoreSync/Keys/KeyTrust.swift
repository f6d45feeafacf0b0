/// Decides which key files of one folder to believe: those whose writers belong to the folder.
///
/// A writer belongs to it if a key ring that is believed has it as a device or as the recovery key.
/// So believing one file may lead to believing others, which its devices wrote. Removing wins: a
/// file does not count if a believed one removed its writer, unless that one says all that it says.
/// The result does not depend on the order of the files.
struct KeyTrust {
  /// What is believed.
  struct Belief {
    /// The join.
    var ring: KeyRing
    /// The numbers of the files that were joined as a whole.
    var accepted: Set<Int>

    /// Whether the join says all that a file says, whoever wrote it.
    func covers(_ file: KeyFile) -> Bool { ring.contains(file.ring) }
  }

  private let files: [KeyFile]
  /// For each file, those that removed its writer and do not say all that it says.
  private let attackers: [[Int]]

  /// Compares the files with each other.
  ///
  /// - Precondition: they have one folder secret.
  /// - Complexity: O(files²).
  init(_ files: [KeyFile]) {
    self.files = files
    attackers = files.map { file in
      files.indices.filter { index in
        let other = files[index]
        return other.writer != file.writer && Self.isRefused(file, by: other.ring)
      }
    }
  }

  /// What a device believes that knows the folder by a key ring.
  func belief(from known: KeyRing) -> Belief {
    var belief = Belief(ring: known, accepted: [])
    while true {
      let before = belief.ring
      let undecided = accept(into: &belief)
      // Devices that removed each other, perhaps at the same time: all of them are removed, and
      // whatever else they say is not believed.
      for index in undecided { belief.ring.joinRemovals(of: files[index].ring) }
      if belief.ring == before { return belief }
    }
  }

  /// What a device believes that does not know the folder yet; nil if the files contradict each
  /// other.
  ///
  /// It begins with the files that were written with its own key, which may be the recovery key. If
  /// there are none, it believes what it would believe with any of the files as the beginning. A
  /// device that was removed can write a file with new keys that vouches for itself, but no file of
  /// the others vouches for it.
  ///
  /// - Parameter own: the keys of the device.
  func belief(of own: Set<PublicKey>) -> Belief? {
    let mine = files.filter { own.contains($0.writer) }
    if let first = mine.first {
      return belief(from: mine.dropFirst().reduce(first.ring) { $0.joined(with: $1.ring) })
    }
    var common: Set<Int>?
    for file in Set(files) where Self.isSound(file) {
      let belief = belief(from: file.ring)
      let believed = Set(files.indices.filter { belief.covers(files[$0]) })
      common = common?.intersection(believed) ?? believed
    }
    guard let common, let first = common.first else { return nil }
    return belief(
      from: common.reduce(files[first].ring) { $0.joined(with: files[$1].ring) })
  }

  /// Joins the files that nobody contradicts, as long as there are any, and returns the numbers of
  /// those whose writers belong to the folder and that contradict each other.
  private func accept(into belief: inout Belief) -> [Int] {
    let known = belief.ring
    var refused = Set(files.indices.filter { Self.isRefused(files[$0], by: known) })
    var writers = Writers(of: known)
    var accepted: Set<Int> = []
    while true {
      let possible = reachable(from: writers, without: refused)
      let next = possible.filter { index in
        !accepted.contains(index) && writers.include(files[index])
          && !attackers[index].contains { possible.contains($0) }
      }
      if next.isEmpty {
        belief.accepted.formUnion(accepted)
        return possible.filter { !accepted.contains($0) && writers.include(files[$0]) }
      }
      accepted.formUnion(next)
      for index in next {
        writers.join(files[index].ring)
        belief.ring.join(files[index].ring)
      }
      for index in files.indices where attackers[index].contains(where: { next.contains($0) }) {
        refused.insert(index)
      }
    }
  }

  /// The files that would be believed if nobody was removed.
  private func reachable(from writers: Writers, without refused: Set<Int>) -> Set<Int> {
    var (writers, found) = (writers, Set<Int>())
    while true {
      let next = files.indices.filter {
        !found.contains($0) && !refused.contains($0) && writers.include(files[$0])
      }
      if next.isEmpty { return found }
      for index in next {
        found.insert(index)
        writers.join(files[index].ring)
      }
    }
  }

  /// Whether a key ring removed the writer of a file, or replaced the recovery key that it is, and
  /// does not say all that the file says.
  private static func isRefused(_ file: KeyFile, by ring: KeyRing) -> Bool {
    let isRemoved =
      ring.removed.contains(file.writer)
      || file.isByRecoveryKey && ring.devices[file.writer] == nil
        && ring.recovery > file.ring.recovery
    return isRemoved && !ring.contains(file.ring)
  }

  /// Whether the writer of a file belongs to the folder by what the file itself says.
  private static func isSound(_ file: KeyFile) -> Bool {
    (file.ring.devices[file.writer] != nil || file.isByRecoveryKey)
      && !file.ring.removed.contains(file.writer)
  }
}

extension KeyFile {
  /// Whether the file says that its writer is the recovery key.
  fileprivate var isByRecoveryKey: Bool { ring.recovery.key == writer }
}

/// Who may write key files, as far as some key rings say.
private struct Writers {
  private var devices: Set<PublicKey>
  private var recovery: Set<RecoveryRecipient>

  init(of ring: KeyRing) { (devices, recovery) = (Set(ring.devices.keys), [ring.recovery]) }

  mutating func join(_ ring: KeyRing) {
    devices.formUnion(ring.devices.keys)
    recovery.insert(ring.recovery)
  }

  /// Whether the writer of a file is one of them. The recovery key must be named with its number,
  /// so that one that was replaced cannot name itself a later one.
  func include(_ file: KeyFile) -> Bool {
    devices.contains(file.writer) || file.isByRecoveryKey && recovery.contains(file.ring.recovery)
  }
}
