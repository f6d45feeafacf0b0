import CGazetteer

/// The oceans and seas: a partition of the Earth, and their names.
///
/// The partition continues over land, where its labels mean nothing: ``Gazetteer/land`` decides
/// what is sea. `docs/formats/geodata.md` describes the byte layout. The file is read in place.
///
/// `@unchecked Sendable`: it points into bytes that never change and that ``owner`` keeps alive.
struct SeasFile: @unchecked Sendable {
  let partition: Partition
  let owner: ByteOwner
  private let table: UnsafeRawPointer
  private let count: Int
  private let names: UnsafeRawBufferPointer

  /// The file linked into the program, opened at the first use: few programs ask about the sea, and
  /// none does while it starts. Nil if another file is linked in, which the tests rule out.
  static let linkedIn: SeasFile? = try? SeasFile(
    ByteOwner(linkedIn: roqua_gazetteer_seas()), trust: .linkedIn)

  /// Opens the file.
  ///
  /// - Throws: ``GeocodeError``.
  init(_ owner: ByteOwner, trust: Trust) throws(GeocodeError) {
    let file = try PackedFile(owner.bytes, kind: .seas, trust: trust)
    let rows = try file.section("SEAS").sized(4)
    let names = try file.section("NAME").sized(1).bytes
    guard let table = rows.bytes.baseAddress else { throw rows.damaged }
    if trust != .linkedIn {
      for row in 0..<rows.count {
        let name = Int(rows.bytes.u32(4 * row))
        guard name < names.count, names[name] > 0, name + 1 + Int(names[name]) <= names.count
        else { throw rows.damaged }
      }
    }
    partition = try Partition(file, labelCount: rows.count, trust: trust)
    self.owner = owner
    self.table = table
    count = rows.count
    self.names = names
  }

  /// The name of a label of the partition; nil for 0.
  ///
  /// Sound: the label is compared with the number of rows. `init` has checked the names in files
  /// from outside; tests check those in the linked file.
  func name(ofLabel label: UInt16) -> String? {
    guard label != 0, label <= count else { return nil }
    let offset = Int(table.u32(4 * (Int(label) - 1)))
    let length = Int(names[offset])
    return String(decoding: names[offset + 1..<offset + 1 + length], as: UTF8.self)
  }
}
