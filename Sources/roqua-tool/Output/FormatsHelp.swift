import TrackIngest

/// `roqua help formats`: the formats that Roqua reads, and those that it knows and cannot read yet.
enum FormatsHelp {
  /// The name of the topic.
  static let topic = "formats"

  static func print() { lines.forEach(Console.print) }

  /// What the detector knows, in lines of at most 80 columns.
  static var lines: [String] {
    var imported = Table([.left, .left])
    for format in SourceFormat.allCases {
      let claims = format.fileExtensions.map { "." + $0 }.joined(separator: ", ")
      imported.add([format.name, format.summary + (claims.isEmpty ? "" : ": " + claims)])
    }
    imported.add(["gzip", "a compressed file of a format above: .gz"])
    imported.add(["zip", "an archive of such files, or of archives of such files: .zip"])
    imported.add(["tar", "an archive of such files, also with gzip: .tar, .tar.gz, .tgz"])
    var adopted = Table([.left, .left])
    adopted.add(["Roqua app database", "roqua adopt FILE"])
    adopted.add(["explored circles (JSON)", "roqua adopt --explored-circles FILE"])
    adopted.add(["grid hashes (JSON)", "roqua adopt --grid-hashes FILE"])
    adopted.add(["coverage file", "roqua coverage --import FILE"])
    var unsupported = Table([.left, .left])
    for kind in UnsupportedKind.allCases {
      let claim = kind.fileExtension.map { ": .\($0)" } ?? ""
      unsupported.add([kind.name, kind.summary + claim])
    }
    let archives = ContentKind.unreadArchives.map(\.name)
    return [
      "Formats are detected by content, whatever the name of the file.", "",
      "roqua import reads files, folders with everything below them, and standard input (-):",
    ] + imported.lines(indent: "  ") + [
      "", "Other commands read data of the Roqua app and of other stores:",
    ] + adopted.lines(indent: "  ") + [
      "", "Not supported yet; an import skips these files, counts them and exits with status 2:",
    ] + unsupported.lines(indent: "  ") + [
      "",
      "Unpack other archives before the import: \(archives.joined(separator: ", ")).",
    ]
  }
}
