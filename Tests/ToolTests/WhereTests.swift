import Foundation
import TestSupport
import Testing

/// `roqua where` with one position, or with one per line.
@Suite struct WhereTests {
  private static let members: Set<String> = [
    "latitude", "longitude", "countryCode", "countryCodeAlpha3", "country", "continent",
    "regionCode", "region", "regionLocalName", "district", "city", "localName",
    "cityDistanceMeters", "quarter", "timeZone", "sea",
  ]

  @Test func `a position in a city has a city, a region, a country and a time zone`() throws {
    let bench = try Bench()
    let place = try bench.json("where", "41.0082", "28.9784")
    #expect(place.names == Self.members)
    #expect(place.latitude.double == 41.0082)
    #expect(place.longitude.double == 28.9784)
    #expect(place.countryCode == .string("TR"))
    #expect(place.country == .string("Türkiye"))
    #expect(place.countryCodeAlpha3 == .string("TUR"))
    #expect(place.continent == .string("AS"))
    #expect(place.regionCode == .string("TR-34"))
    #expect(place.region == .string("Istanbul"))
    #expect(place.city == .string("Istanbul"))
    #expect(place.timeZone == .string("Europe/Istanbul"))
    #expect(place.sea.isNull)
    #expect(place.cityDistanceMeters.double.map { $0 < 5_000 } == true)
    let words = try bench.roqua("where", "41.0082", "28.9784")
    #expect(words.status == 0)
    #expect(words.out.contains("Türkiye (TR)"))
    #expect(words.out.contains("Istanbul (TR-34)"))
    #expect(words.out.contains("Europe/Istanbul"))
    #expect(!bench.hasStore, "looking up a place needs no store")
  }

  @Test func `the country is named in the user's language, except in JSON`() throws {
    let bench = try Bench()
    let german = ["LANG": "de_DE.UTF-8"]
    let words = try bench.roqua("where", "48.2", "11.5", environment: german)
    #expect(words.out.contains("Deutschland (DE)"))
    #expect(!words.out.contains("🇩🇪"), "no flags in a pipe")
    let document = try bench.roqua("where", "48.2", "11.5", "--json", environment: german)
    #expect(try JSONTree(parsing: document.out).country == .string("Germany"))
  }

  @Test func `a position on the open sea has a sea and its nautical time zone`() throws {
    let bench = try Bench()
    let place = try bench.json("where", "-45", "-130.5")
    #expect(place.names == Self.members)
    for name in Self.members.subtracting(["latitude", "longitude", "timeZone", "sea"]) {
      #expect(place[name].isNull, "\(name)")
    }
    #expect(place.timeZone == .string("Etc/GMT+9"))
    #expect(place.sea == .string("South Pacific Ocean"))
    let words = try bench.roqua("where", "-45", "-130.5")
    #expect(words.status == 0)
    #expect(words.out == "sea        South Pacific Ocean\ntime zone  Etc/GMT+9\n")
  }

  @Test func `within territorial waters the answer says whose they are`() throws {
    let bench = try Bench()
    let place = try bench.json("where", "37.65", "24.2")
    #expect(place.countryCode == .string("GR"))
    #expect(place.timeZone == .string("Europe/Athens"))
    #expect(place.sea == .string("Aegean Sea"))
    for (position, line) in [
      (("37.65", "24.2"), "sea        Territorial waters of Greece, Aegean Sea\n"),
      (("55", "1"), "sea        North Sea\n"),
      (("52.5", "4.45"), "sea        Territorial waters of the Netherlands, North Sea\n"),
      (("-66.55", "140"), "sea        Southern Ocean\n"),
    ] {
      let words = try bench.roqua("where", position.0, position.1)
      #expect(words.out.hasPrefix(line), "\(position)")
    }
    let german = try bench.roqua("where", "37.65", "24.2", environment: ["LANG": "de_DE.UTF-8"])
    #expect(german.out.contains("Territorial waters of Griechenland, Aegean Sea"))
  }

  @Test func `a position on land in no country has no place`() throws {
    let bench = try Bench()
    let words = try bench.roqua("where", "21.87", "33.75")
    #expect(words.status == 0)
    #expect(words.out == "no place found (in no country)\n")
  }

  @Test func `coordinates can be negative`() throws {
    let bench = try Bench()
    for arguments in [
      ["where", "-33.9", "18.4", "--json"], ["where", "--json", "-33.9", "18.4"],
      ["where", "-33.9", "--json", "18.4"], ["where", "--json", "--", "-33.9", "18.4"],
    ] {
      let result = try bench.roqua(arguments)
      #expect(result.status == 0, "\(arguments) \(result.err)")
      #expect(try JSONTree(parsing: result.out).countryCode == .string("ZA"))
    }
    #expect(try bench.json("where", "-.5", "-78.5").countryCode == .string("EC"))
  }

  /// The lines of an output, each of which ends with LF.
  private static func lines(_ output: String) -> [Substring] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test func `a batch prints one line for each line, including blank ones`() throws {
    let bench = try Bench()
    // Every way to write a position and to end a line. The expected places come from single
    // lookups.
    let questions: [(line: String, position: (String, String)?)] = [
      ("\u{FEFF}48.5676,7.8010\r", ("48.5676", "7.8010")), ("-33.9, 18.4", ("-33.9", "18.4")),
      ("", nil),
      ("41.0082\t28.9784", ("41.0082", "28.9784")), ("-45,-130.5", ("-45", "-130.5")),
      (" \t\r", nil),
      (" 48.85 ; 2.35", ("48.85", "2.35")), ("\r", nil), ("+35.68,1.3969e2", ("35.68", "139.69")),
      ("", nil), ("43.7,7.4", ("43.7", "7.4")),
    ]
    for end in ["", "\n"] {
      let input = questions.map(\.line).joined(separator: "\n") + end
      let documents = try bench.roqua("where", "--batch", "--json", input: input)
      let rows = try bench.roqua("where", "--batch", input: input)
      for result in [documents, rows] {
        #expect(result.status == 0)
        #expect(result.err == "")
        #expect(result.out.hasSuffix("\n"))
        try #require(Self.lines(result.out).count == questions.count)
      }
      for (question, (document, row)) in zip(
        questions, zip(Self.lines(documents.out), Self.lines(rows.out)))
      {
        guard let position = question.position else {
          #expect(document == "null")
          #expect(row == "")
          continue
        }
        let single = try bench.json("where", position.0, position.1)
        #expect(single.names == Self.members)
        #expect(try JSONTree(parsing: document) == single, "\(question.line)")
        let columns = [
          single.countryCode, single.region, single.district, single.city, single.timeZone,
          single.sea, single.quarter,
        ]
        #expect(row == columns.map { $0.string ?? "" }.joined(separator: "\t"), "\(question.line)")
      }
    }
  }

  @Test func `text cached for one line of a batch never changes the answer of the next`()
    throws
  {
    let bench = try Bench()
    let near = [
      "46.9480,7.4474", "46.9481,7.4475", "-0.00004,-25.25995", "46.9480,7.4474", "90,-180",
      "-0.5,0", "-0.5,7.4", "-0.5,7.6", "36.5,23.5", "36.6,23.2",
    ]
    let repeated = try bench.roqua(
      "where", "--batch", "--json", input: near.joined(separator: "\n"))
    let single = try near.map { line in
      let parts = line.split(separator: ",").map(String.init)
      return try bench.json("where", parts[0], parts[1])
    }
    #expect(try Self.lines(repeated.out).map { try JSONTree(parsing: $0) } == single)
  }

  @Test func `a line of a batch that is not a position is reported, and its answer is null`() throws
  {
    let bench = try Bench()
    let wrong = [
      "north,south", "91,0", "1", "1,2,3", "nan,0", "0,\u{1B}[31m", "inf,inf", "1e400,0",
      "0x10,0x2",
      "1.2.3,4",
    ]
    let result = try bench.roqua(
      "where", "--batch", "--json", input: (wrong + ["48.85,2.35"]).joined(separator: "\n") + "\n")
    #expect(result.status == 2)
    #expect(result.errorLines.count == wrong.count)
    #expect(result.errorLines.first?.contains("line 1:") == true)
    #expect(result.controlCharacters == [])
    let answers = try Self.lines(result.out).map { try JSONTree(parsing: $0) }
    #expect(answers.dropLast().allSatisfy { $0.isNull })
    #expect(answers.count == wrong.count + 1)
    #expect(answers.last?.countryCode == .string("FR"))
    let rows = try bench.roqua("where", "--batch", input: "\n\nnothing\n")
    #expect(rows.status == 1)
    #expect(rows.out == "\n\n\n")
    let empty = try bench.roqua("where", "--batch", "--json", input: "")
    #expect(empty.status == 0)
    #expect(empty.out == "")
  }

  @Test(arguments: [4_096, 4_097, 70_000, 1_000_000])
  func `a line that is too long is reported and skipped, and the next one is read`(length: Int)
    throws
  {
    let bench = try Bench()
    let position = "48.85,2.35"
    for end in ["\n\(position)\n", "\n\(position)", ""] {
      let line = position + String(repeating: " ", count: length - position.count)
      let result = try bench.roqua("where", "--batch", input: "\(position)\n\(line)\(end)")
      let answers = Self.lines(result.out)
      #expect(answers.count == (end.isEmpty ? 2 : 3))
      #expect(answers.last?.hasPrefix("FR\t") == (!end.isEmpty || length <= 4_096))
      #expect(answers[1].hasPrefix("FR\t") == (length <= 4_096))
      #expect(result.status == (length <= 4_096 ? 0 : 2))
      #expect(
        result.errorLines == (length <= 4_096 ? [] : ["roqua: line 2: longer than 4096 bytes"]))
    }
  }

  @Test func `a long line does not increase memory use`() throws {
    let bench = try Bench()
    let path = try bench.folder.write(
      String(repeating: "1", count: 60_000_000) + "\n48.85,2.35\n", to: "long")
    var process = bench.process(["where", "--batch"])
    process.input = FileHandle(forReadingAtPath: path)
    let running = try process.start()
    var peak = 0
    while !running.wait(seconds: 0.01) { peak = max(peak, Self.peakMemoryKilobytes(running) ?? 0) }
    #expect(try running.result().status == 2)
    #if os(Linux)
      #expect(peak > 0 && peak < 60_000, "\(peak) kB")
    #endif
  }

  /// The peak memory of a process according to the kernel; nil if it has ended.
  private static func peakMemoryKilobytes(_ running: RunningRoqua) -> Int? {
    let status = try? String(
      contentsOfFile: "/proc/\(running.processIdentifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
  }

  @Test func `standard input that is a folder or closed is an error`() throws {
    let bench = try Bench()
    var process = bench.process(["where", "--batch"])
    process.input = FileHandle(forReadingAtPath: bench.folder.path)
    let folder = try process.run()
    #expect(folder.status == 1)
    #expect(folder.out == "")
    #expect(folder.errorLines == ["roqua: standard input cannot be read: Is a directory"])

    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let roqua = try RoquaProcess.executable.get()
    shell.arguments = ["-c", "'\(roqua)' where --batch <&-"]
    let errors = Pipe()
    shell.standardError = errors
    try shell.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 1)
    #expect(text == "roqua: standard input cannot be read: Bad file descriptor\n")
  }

  @Test(arguments: [
    ["where", "0x10", "0x10"], ["where", "nan", "0"], ["where", "1e400", "0"],
    ["near", "0x10", "1"],
    ["near", "1", "1", "--radius", "0x10m"], ["near", "1", "1", "--radius", "infm"],
    ["within", "--bbox", "0x1,0,2,2"], ["forget", "--near", "0x1", "1"],
    ["coverage", "--bbox", "1,1,0x2,2"],
    ["settings", "visitGapMinutes", "0x10"], ["rebuild", "--visit-gap", "0x10"],
    ["rebuild", "--clustering-radius", "0x10"], ["bench", "--regions", "0x10k"],
  ])
  func `a number that is hexadecimal, infinite or not a number is wrong usage`(arguments: [String])
    throws
  {
    let bench = try Bench()
    #expect(try bench.roqua(arguments).status == 64)
  }

  @Test func `a large batch is printed completely`() throws {
    let bench = try Bench()
    let count = 3_000
    let lines = (0..<count).map { "\(Double($0) / 100 - 10),\(Double($0) / 50)\n" }.joined()
    let result = try bench.roqua("where", "--batch", "--json", input: lines)
    let answers = try result.out.split(separator: "\n").map { try JSONTree(parsing: $0) }
    #expect(answers.count == count)
    #expect(
      answers.indices.allSatisfy {
        abs((answers[$0].longitude.double ?? 999) - Double($0) / 50) < 1e-6
      })
  }

  @Test func `where without a position is wrong usage`() throws {
    let bench = try Bench()
    for arguments in [
      ["where"], ["where", "1"], ["where", "--batch", "1", "2"], ["where", "91", "0"],
    ] {
      #expect(try bench.roqua(arguments).status == 64, "\(arguments)")
    }
  }
}
