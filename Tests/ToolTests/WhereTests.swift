import Foundation
import TestSupport
import Testing

/// `roqua where`: one point, or a line each.
@Suite struct WhereTests {
  private static let members: Set<String> = [
    "latitude", "longitude", "countryCode", "country", "region", "district", "city", "cityDistanceMeters",
    "timeZone",
  ]

  @Test func `a point in a city`() throws {
    let bench = try Bench()
    let place = try bench.json("where", "41.0082", "28.9784")
    #expect(place.names == Self.members)
    #expect(place.latitude.double == 41.0082)
    #expect(place.longitude.double == 28.9784)
    #expect(place.countryCode == .string("TR"))
    #expect(place.country == .string("Türkiye"))
    #expect(place.region == .string("Istanbul"))
    #expect(place.city == .string("Istanbul"))
    #expect(place.timeZone == .string("Europe/Istanbul"))
    #expect(place.cityDistanceMeters.double.map { $0 < 5_000 } == true)
    let words = try bench.roqua("where", "41.0082", "28.9784")
    #expect(words.status == 0)
    #expect(words.out.contains("Türkiye (TR)"))
    #expect(words.out.contains("Europe/Istanbul"))
    #expect(!bench.hasStore, "asking for a place needs no store")
  }

  @Test func `the country is named in the user's language, but not in JSON`() throws {
    let bench = try Bench()
    let german = ["LANG": "de_DE.UTF-8"]
    let words = try bench.roqua("where", "48.2", "11.5", environment: german)
    #expect(words.out.contains("Deutschland (DE)"))
    #expect(!words.out.contains("🇩🇪"), "no flags in a pipe")
    let document = try bench.roqua("where", "48.2", "11.5", "--json", environment: german)
    #expect(try JSONTree(parsing: document.out).country == .string("Germany"))
  }

  @Test func `the open sea is nowhere`() throws {
    let bench = try Bench()
    let place = try bench.json("where", "-45", "-130.5")
    #expect(place.names == Self.members)
    for name in Self.members.subtracting(["latitude", "longitude"]) { #expect(place[name].isNull, "\(name)") }
    let words = try bench.roqua("where", "-45", "-130.5")
    #expect(words.status == 0)
    #expect(words.out == "no place: at sea, or in no country\n")
  }

  @Test func `coordinates may be negative`() throws {
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

  @Test func `a batch is a line for a line`() throws {
    let bench = try Bench()
    let lines =
      "\u{FEFF}48.5676,7.8010\r\n-33.9, 18.4\n\n41.0082\t28.9784\n-45,-130.5\n 48.85 ; 2.35\n35.68,139.69"
    let result = try bench.roqua("where", "--batch", "--json", input: lines)
    #expect(result.status == 0)
    #expect(result.err == "")
    let answers = try result.out.split(separator: "\n").map { try JSONTree(parsing: $0) }
    #expect(answers.map(\.countryCode.string) == ["FR", "ZA", "TR", nil, "FR", "JP"])
    #expect(answers.allSatisfy { $0.names == Self.members })
    #expect(answers[1] == (try bench.json("where", "-33.9", "18.4")))
    let words = try bench.roqua("where", "--batch", input: "-33.9,18.4\n")
    // Words that were kept serve the next line with the same codes, never its coordinate or distance.
    let near = [
      "46.9480,7.4474", "46.9481,7.4475", "-0.00004,-25.25995", "46.9480,7.4474", "90,-180", "-0.5,0",
    ]
    let repeated = try bench.roqua("where", "--batch", "--json", input: near.joined(separator: "\n"))
    let single = try near.map { line in
      let parts = line.split(separator: ",").map(String.init)
      return try bench.json("where", parts[0], parts[1])
    }
    #expect(try repeated.out.split(separator: "\n").map { try JSONTree(parsing: $0) } == single)
    let fields = words.out.dropLast().split(separator: "\t", omittingEmptySubsequences: false)
    #expect(fields.count == 5)
    #expect(fields.first == "ZA")
    #expect(fields.last == "Africa/Johannesburg")
  }

  @Test func `a line of a batch that is no position is told, and answered by null`() throws {
    let bench = try Bench()
    let wrong = [
      "north,south", "91,0", "1", "1,2,3", "nan,0", "0,\u{1B}[31m", "inf,inf", "1e400,0", "0x10,0x2",
      "1.2.3,4",
    ]
    let result = try bench.roqua(
      "where", "--batch", "--json", input: (wrong + ["48.85,2.35"]).joined(separator: "\n") + "\n")
    #expect(result.status == 2)
    #expect(result.errorLines.count == wrong.count)
    #expect(result.errorLines.first?.contains("line 1:") == true)
    #expect(result.controlCharacters == [])
    let answers = try result.out.split(separator: "\n").map { try JSONTree(parsing: $0) }
    #expect(answers.dropLast().allSatisfy { $0.isNull })
    #expect(answers.count == wrong.count + 1)
    #expect(answers.last?.countryCode == .string("FR"))
    #expect(try bench.roqua("where", "--batch", input: "\n\nnothing\n").status == 1)
    let empty = try bench.roqua("where", "--batch", "--json", input: "")
    #expect(empty.status == 0)
    #expect(empty.out == "")
  }

  @Test func `a large batch comes out whole`() throws {
    let bench = try Bench()
    let count = 3_000
    let lines = (0..<count).map { "\(Double($0) / 100 - 10),\(Double($0) / 50)\n" }.joined()
    let result = try bench.roqua("where", "--batch", "--json", input: lines)
    let answers = try result.out.split(separator: "\n").map { try JSONTree(parsing: $0) }
    #expect(answers.count == count)
    #expect(
      answers.indices.allSatisfy { abs((answers[$0].longitude.double ?? 999) - Double($0) / 50) < 1e-6 })
  }

  @Test func `where without a position is wrong usage`() throws {
    let bench = try Bench()
    for arguments in [["where"], ["where", "1"], ["where", "--batch", "1", "2"], ["where", "91", "0"]] {
      #expect(try bench.roqua(arguments).status == 64, "\(arguments)")
    }
  }
}
