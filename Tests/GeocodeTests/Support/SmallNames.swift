@testable import Geocode

/// A part of the names in other languages: every tenth name of three languages.
enum SmallNames {
  static func bytes(_ whole: NamesFile) -> [UInt8] {
    var languages: [UInt8] = []
    var lists: [[UInt8]] = [[], []]
    var pool: [UInt8] = [0]
    func add(_ list: Int, _ key: UInt32, _ name: NamesFile.NameBytes) {
      lists[list] += PackedFileWriter.u32(Int(key)) + PackedFileWriter.u32(pool.count)
      pool += [UInt8(name.count)] + name
    }
    for tag in ["de", "fr", NamesFile.local] {
      guard let row = whole.row(ofTag: tag) else { continue }
      let starts = lists.map { $0.count / 8 }
      whole.forEachRegion(language: row) { country, suffix, name in
        if (country &+ suffix) % 10 == 0 { add(0, UInt32(country) << 16 | UInt32(suffix), name) }
      }
      whole.forEachCity(language: row) { identifier, name in
        if identifier % 10 == 0 { add(1, identifier, name) }
      }
      languages += (Array(tag.utf8) + [UInt8](repeating: 0, count: 8)).prefix(8)
      for (list, start) in zip(lists, starts) {
        languages += PackedFileWriter.u32(start) + PackedFileWriter.u32(list.count / 8 - start)
      }
    }
    var writer = PackedFileWriter(kind: .names)
    writer.add("LANG", count: languages.count / 24, languages)
    writer.add("RNAM", count: lists[0].count / 8, lists[0])
    writer.add("CNAM", count: lists[1].count / 8, lists[1])
    writer.add("NAME", count: pool.count, pool)
    return writer.written()
  }
}
