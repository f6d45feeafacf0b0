import Foundation
import Geodesy
import TestSupport
import Testing

/// Ways to run every command of the tool on one store. The commands are those that `roqua help`
/// lists, so that no new one is forgotten.
struct EveryCommand {
  /// A run of a command.
  struct Run {
    var arguments: [String]
    /// Standard input.
    var input: String?
    /// Whether it changes the store for the runs that follow.
    var isChange = false
  }

  let bench: Bench
  /// A text that appears in the names of files, folders and places.
  let name: String

  /// Writes input files with that name: tracks, broken tracks, an archive, a database and lists of
  /// the Roqua app, a polygon.
  func writeFiles() throws {
    let folder = bench.folder
    let track = TrackText.gpx(from: Coordinate(48.58, 7.75), count: 4)
    try folder.write(track, to: "tracks \(name)/good \(name).gpx")
    try folder.write("no track", to: "tracks \(name)/bad \(name).gpx")
    try folder.write(
      track.replacingOccurrences(of: "UTF-8", with: name).replacingOccurrences(
        of: "test", with: name),
      to: "tracks \(name)/encoding.gpx")
    try folder.write(
      TrackText.gpx(from: Coordinate(48.6, 7.75), count: 4)
        .replacingOccurrences(of: "2024-05-01T10:00:10Z", with: name)
        .replacingOccurrences(of: "<trkpt lat=\"48.6020000\"", with: "<trkpt lat=\"\(name)\"")
        .replacingOccurrences(of: "</trkseg>", with: "</\(name)></trkseg><name>\(name)</name>"),
      to: "tracks \(name)/contents.gpx")
    try folder.write("$GPRMC,\(name)*00\n$GPGGA,\(name)\n", to: "tracks \(name)/log.nmea")
    try folder.write(
      TrackText.nmea(from: Coordinate(48.58, 7.75), count: 3), to: "log \(name)")
    let archive = ZipBuilder([
      .init("in \(name).gpx", Array(TrackText.gpx(from: Coordinate(48.7, 7.75), count: 3).utf8)),
      .init("bad \(name).gpx", Array("no track".utf8)),
    ])
    try folder.write(archive.build().bytes, to: "tracks \(name)/archive \(name).zip")
    let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    try folder.write(
      #"[{"latitude":48.5,"longitude":7.7},\#(quoted),{"latitude":\#(quoted)}]"#,
      to: "circles \(name)")
    try folder.write(#"["1_2",\#(quoted)]"#, to: "hashes \(name)")
    try bench.forge(
      """
      CREATE TABLE visited_regions (id INTEGER PRIMARY KEY, latitude REAL, longitude REAL,
        radius INTEGER, timestamp_start TEXT, timestamp_end TEXT, visit_count INTEGER, city TEXT,
        district TEXT, country TEXT, country_code TEXT, geohash TEXT, accuracy REAL,
        created_at TEXT, updated_at TEXT);
      INSERT INTO visited_regions (latitude, longitude, timestamp_start, city, country_code)
      VALUES (48.51, 7.7, '\(name)', '\(name)', '\(name)'), ('\(name)', 7.7, 0, '', '');
      """, at: folder.file("app \(name).sqlite"))
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[7,48],[8,48],[8,49],[7,49],[7,48]]]}"#,
      to: "polygon \(name)")
    try folder.write("{\"type\":\"\(name)\"}", to: "no polygon \(name)")
    for kind in ["shared", "dated"] {
      try FileManager.default.createDirectory(
        atPath: folder.file("\(kind) \(name)"), withIntermediateDirectories: true)
    }
  }

  /// The names of the commands, as listed in the help.
  static func names(_ bench: Bench) throws -> [String] {
    let help = try bench.roqua("help").out
    let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
    let names = list.split(separator: "\n").prefix { $0.hasPrefix("  ") }.filter {
      $0.prefix(3).last != " "
    }
    .compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "See" }
    try #require(names.count > 10)
    return names
  }

  /// All runs; those that change nothing come first.
  func runs() throws -> [Run] {
    let commands = try Self.names(bench)
    var runs = [Run(arguments: ["help"]), Run(arguments: [name]), Run(arguments: ["help", name])]
    for command in commands {
      let known = self.runs(of: command)
      #expect(!known.isEmpty, "EveryCommand has no run of roqua \(command)")
      runs += known
      runs += known.map {
        Run(arguments: $0.arguments + ["--json"], input: $0.input, isChange: $0.isChange)
      }
      runs.append(Run(arguments: ["help", command]))
      runs.append(Run(arguments: [command, "--\(name)"]))
    }
    return runs.filter { !$0.isChange } + runs.filter(\.isChange)
  }

  private func runs(of command: String) -> [Run] {
    func asking(_ lists: [String]..., input: String? = nil) -> [Run] {
      lists.map { Run(arguments: [command] + $0, input: input) }
    }
    func changing(_ lists: [String]...) -> [Run] {
      lists.map { Run(arguments: [command] + $0, isChange: true) }
    }
    let breakdowns = ["country", "region", "year", "month", "day"].flatMap { ["--by", $0] }
    switch command {
    case "import":
      return asking(["--dry-run", "tracks \(name)"], ["nowhere \(name)"])
        + changing(["tracks \(name)"])
    case "near":
      return asking(
        ["48.58", "7.75", "--radius", "30km"], ["48.58", "7.75", "--nearest", "5"], [name, "1"])
    case "within":
      return asking(
        ["40", "0", "50", "10"], ["--country", "FR"], ["--city", name, "--count"],
        ["--polygon", "polygon \(name)"], ["--polygon", "no polygon \(name)"], ["--polygon", name],
        ["--from", "2000", "--to", "2030"])
    case "where":
      return asking(["48.58", "7.75"], ["--batch"], input: "48.58,7.75\n\(name)\n\n")
    case "at":
      return asking(
        ["2024-05-01T10:00:10Z"], [name], ["--batch"], input: "2024-05-01T10:00:10Z\n\(name)\n\n")
    case "photos":
      return asking(["nowhere \(name)"], ["tracks \(name)"], ["--offset", name, "."])
    case "stats":
      return asking(
        breakdowns, ["--by", name], ["--country", "FR", "--by", "city", "--time-zone", "local"],
        ["--from", "2000", "--by", "day", "--top", "1"], ["--city", name])
    case "coverage":
      return asking(
        breakdowns, ["--frontier", "3"], ["--bbox", "48", "7", "49", "8"],
        ["--country", "FR", "--from", "2000"],
        ["--tiles", "14", "--by", "year"], ["--tiles", "17", "--near", "48.58", "7.75"],
        ["--tiles", "17", "--grow"], ["--import", "nowhere \(name)"])
        + changing(["--export", "cells \(name)"], ["--import", "cells \(name)"])
    case "days":
      return asking(
        ["--by", "year"], ["--list"], ["--window", "183/365"], ["--country", name],
        ["--home", "48.58", "7.75"])
    case "achievements":
      return asking(
        [], ["--nearest", "3"], ["--changed", "--language", "tr"], ["--category", name])
    case "places":
      return asking(
        ["--by", "country", "--all"], ["--by", "region", "--all"], ["--by", "city"],
        ["--country", "FR", "--time-zone", "local"])
    case "map":
      return asking(["nowhere.html", "--country", name], ["map.txt"])
        + changing(
          ["map \(name).html", "--tracks", "--title", name], ["map \(name).html"],
          ["map \(name).html", "--force", "--hide", "48.58", "7.75"])
    case "export":
      return asking(["-", "--format", "geojsonl"], ["-", "--format", "csv", "--only", "fixes"])
        + changing(["out \(name).gpkg"], ["out \(name).kml"], ["out \(name).gpx"])
        + changing(["dataset \(name)", "--format", "parquet-dataset", "--person", name])
    case "sql":
      return asking(
        ["SELECT * FROM visited_regions"], ["SELECT path, report FROM sources", "--csv"],
        ["SELECT :a AS '\(name)'", "--param", "a=\(name)"], [name], ["-"], input: name)
    case "live":
      return asking(["nowhere \(name)"], ["ftp://\(name)"], ["tcp://\(name)"], ["-"], input: name)
        + changing(["log \(name)"], ["log \(name)", "--name", name, "--interval", "0", "--quiet"])
    case "settings":
      return asking([], [name], ["visitGapMinutes", "45", "--dry-run"])
        + changing(["trackingDistanceMeters", "45"])
    case "sources": return asking([])
    case "forget":
      return asking(
        ["--dry-run", "1"], ["--dry-run", name],
        ["--dry-run", "--near", "48.58", "7.75", "--radius", "5km"])
        + changing(["--near", "48.58", "7.75", "--radius", "200m"], ["2"])
    case "zone":
      return asking(
        ["list"], ["add", "48.58", "7.75", "--radius", "1km", "--dry-run", "--name", name],
        ["remove", "nowhere \(name)"])
        + changing(
          ["add", "48.58", "7.75", "--radius", "100m", "--name", name], ["list"], ["remove", name])
    case "rebuild": return changing([])
    case "check": return asking([], ["--quick"])
    case "backup":
      return changing(
        ["copy \(name)"], ["copy \(name)"], ["copy \(name)", "--force"],
        ["--app-format", "own \(name)"], ["--app-format", "own \(name)"],
        ["dated \(name)", "--note", name, "--keep", "2"], ["--if-older-than", "1d"], ["--list"],
        ["--verify"], ["--verify", "--date", name], ["--remove", name])
    case "restore":
      return asking(["--last"], [name, "--merge"], ["--merge", "--folder", "nowhere \(name)"])
        + changing(["--merge"], ["--replace"], ["--last"], [name, "--replace"])
    case "serve":
      return asking(
        ["token", "list"], ["token", "remove", "nowhere"], ["--listen", name])
        + changing(
          ["token", "add", name],
          ["token", "add", "phone"], ["token", "add", "reader", "--read"], ["token", "list"],
          ["token", "remove", "phone"])
    case "sync":
      return asking(
        ["status"], ["nowhere \(name)"], ["add", name, "--name", name], ["remove", name],
        ["now", "--recovery-key", "nowhere"], ["nowhere", "--watch", "--every", name],
        ["--watch", "--recovery-key", "nowhere"])
        + changing(
          ["shared \(name)", "--name", name], ["status"], ["add", name, "--name", name],
          ["remove", name], ["shared \(name)"])
    case "push":
      return asking(
        ["--schema"], ["nowhere \(name)"], ["postgres://127.0.0.1:1/x", "--person", name],
        [
          "postgres://anna:\(name)@127.0.0.1:1/x", "--nearby", "--no-public", "--fixes",
          "--replace",
        ])
    case "pull":
      return asking(
        ["nowhere \(name)"],
        ["postgres://127.0.0.1:1/x", "--person", name, "--store", "new \(name)"])
    case "lock":
      let passphrase = "secret \(name.prefix(1))\n"
      // Each is followed by an unlock, for the commands that come then.
      return asking(["--passphrase-file", "nowhere \(name)"], ["status"])
        + [["lock"], ["unlock", "--memory"], ["lock"], ["unlock"]].map {
          Run(arguments: $0, input: passphrase, isChange: true)
        }
    case "unlock":
      return asking(["--passphrase-file", "nowhere \(name)"], [], ["--memory"], input: name)
    case "adopt":
      return asking(["nowhere \(name)"], ["polygon \(name)"])
        + changing(
          ["--explored-circles", "circles \(name)", "--grid-hashes", "hashes \(name)"],
          ["app \(name).sqlite"])
    case "profile":
      return asking(
        ["list"], ["switch", "nowhere \(name)"], ["remove", "nowhere"], ["repair"],
        ["recover", "nowhere \(name)"], ["merge", "nowhere \(name)"], ["rename", "nowhere", "x"],
        ["create", "a\n\(name)"])
        + changing(
          ["create", "work"], ["rename", "work", "my office"], ["switch", "my office"], ["list"],
          ["merge", "default", "--dry-run"], ["switch", "default", "--erase"],
          ["recover", "my office"], ["remove", "my office"])
    case "bench":
      let store = ["--store", bench.storePath]
      return asking(
        ["near", "--questions", "1"] + store,
        ["near", "--questions", "1", "--keep", "circles \(name)"])
    default: return []
    }
  }
}
