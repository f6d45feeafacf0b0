import Geodesy
import SeededRandom
import TestSupport
import Testing

@testable import Profiles

/// The list of profiles as a value.
@Suite struct RegistryTests {
  private static let time = Timestamp(millisecondsSince1970: 1_700_000_000_123)

  private func profile(_ name: String, _ random: inout SplitMix64) -> Profile {
    Profile(id: ProfileID(using: &random), name: name, createdAt: Self.time)
  }

  @Test func `an id is 32 lowercase hexadecimal digits, and no two are equal`() {
    let ids = (0..<1_000).map { _ in ProfileID() }
    #expect(Set(ids).count == 1_000)
    #expect(ids.allSatisfy { ProfileID($0.text) == $0 && $0.text.utf8.count == 32 })
    #expect(Set(ids.flatMap { Array($0.text) }) == Set("0123456789abcdef"))
    let text = ids[0].text
    let short = String(text.dropLast())
    for wrong in ["", short, text + "0", short + "g", short + "A"] {
      #expect(ProfileID(wrong) == nil)
    }
  }

  @Test func `a name is trimmed, and has no control characters`() throws {
    for (text, name) in [
      ("work", "work"), ("  my work\n", "my work"), ("Çağ 🏃‍♀️", "Çağ 🏃‍♀️"), ("日本", "日本"),
      (String(repeating: "x", count: 100), String(repeating: "x", count: 100)), ("12", "12"),
    ] {
      #expect(try ProfileName.checked(text) == name)
    }
    for text in [
      "", " \n\t", "a\u{0}b", "a\nb", "a\u{1B}[2Jb", "a\u{202E}b", "a\u{2028}b", "--now", "-a",
      String(repeating: "x", count: 101), "a" + String(repeating: "\u{301}", count: 400),
    ] {
      guard case .invalidName? = profileError({ _ = try ProfileName.checked(text) }) else {
        Issue.record("\(text.debugDescription) is a name")
        continue
      }
    }
  }

  @Test func `names that differ only in case are the same`() throws {
    var random = SplitMix64(seed: 3)
    var registry = ProfileRegistry(first: profile("Work", &random))
    for taken in ["work", "WORK", " Work "] {
      #expect(
        profileError { _ = try registry.create(named: taken, id: ProfileID(), at: Self.time) }
          == .nameTaken(name: "Work"))
    }
    _ = try registry.rename("WORK", to: "wOrK")
    #expect(registry.profiles.map(\.name) == ["wOrK"])
    #expect(try registry.profile("work").name == "wOrK")
  }

  @Test func `a profile is found by its name, or by eight digits of its id`() throws {
    var random = SplitMix64(seed: 4)
    var registry = ProfileRegistry(first: profile("a", &random))
    let other = try registry.create(named: "b", id: ProfileID(using: &random), at: Self.time)
    #expect(try registry.profile(String(other.id.text.prefix(8))) == other)
    #expect(try registry.profile(other.id.text) == other)
    for wrong in ["c", String(other.id.text.prefix(7)), ""] {
      #expect(
        profileError { _ = try registry.profile(wrong) }
          == .noSuchProfile(selector: wrong, names: ["a", "b"]))
    }
    // A name that looks like an id comes first.
    let digits = String(other.id.text.prefix(8))
    let third = try registry.create(named: digits, id: ProfileID(using: &random), at: Self.time)
    #expect(try registry.profile(digits) == third)
  }

  @Test func `several profiles whose ids begin alike are ambiguous`() throws {
    let ids = ["0", "1"].map { ProfileID(String(repeating: "a", count: 31) + $0) }
    let first = try #require(ids[0])
    let second = try #require(ids[1])
    var registry = ProfileRegistry(first: Profile(id: first, name: "x", createdAt: Self.time))
    _ = try registry.create(named: "y", id: second, at: Self.time)
    #expect(
      profileError { _ = try registry.profile("aaaaaaaa") }
        == .ambiguous(selector: "aaaaaaaa", ids: [first.text, second.text]))
  }

  /// Random changes, compared with a list of names and states that is kept without the registry.
  @Test(arguments: Seeds.sample(200))
  func `any changes leave a valid list, which its bytes restore`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var registry = ProfileRegistry(first: profile("p0", &random))
    var (live, gone, selected) = ([("p0")], [String](), "p0")
    for step in 1...40 {
      let name = "p\(Int.random(in: 0..<8, using: &random))"
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let error = profileError {
          _ = try registry.create(named: name, id: ProfileID(using: &random), at: Self.time)
        }
        #expect((error == nil) == !live.contains(name))
        if error == nil { live.append(name) }
      case 1 where live.contains(name):
        registry.select(try registry.profile(name).id)
        selected = name
      case 2 where live.contains(name):
        let id = try registry.profile(name).id
        let replacement = ProfileID(using: &random)
        let error = profileError {
          _ = try registry.erase(id, at: Self.time, keptFor: step, replacement: replacement)
        }
        #expect((error == nil) == (name != selected || live.count == 1))
        if error == nil {
          live.removeAll { $0 == name }
          gone.append(name)
          if live.isEmpty { (live, selected) = (["default"], "default") }
        }
      case 3 where gone.count(where: { $0 == name }) == 1:
        let id = try registry.erasedProfile(name).id
        let error = profileError { _ = try registry.recover(id, named: nil) }
        #expect((error == nil) == !live.contains(name))
        if error == nil {
          gone.removeAll { $0 == name }
          live.append(name)
        }
      case 4 where live.contains(name):
        let new = "r\(Int.random(in: 0..<4, using: &random))"
        let error = profileError { _ = try registry.rename(name, to: new) }
        #expect((error == nil) == !live.contains(new))
        if error == nil {
          live = live.map { $0 == name ? new : $0 }
          if selected == name { selected = new }
        }
      default: break
      }
      #expect(registry.profiles.map(\.name) == live)
      #expect(registry.selected.name == selected)
      #expect(registry.erased.map(\.profile.name).sorted() == gone.sorted())
      #expect(try ProfileRegistry(bytes: registry.bytes) == registry)
    }
  }

  @Test func `a list that is cut short anywhere is damaged`() throws {
    var random = SplitMix64(seed: 5)
    var registry = ProfileRegistry(first: profile("home", &random))
    let other = try registry.create(named: "İş 🏢", id: ProfileID(using: &random), at: Self.time)
    _ = try registry.erase(
      other.id, at: Self.time, keptFor: 86_400, replacement: ProfileID(using: &random))
    let bytes = registry.bytes
    // Without the line end at its end it is whole.
    #expect(try ProfileRegistry(bytes: bytes.dropLast()) == registry)
    for count in 0..<bytes.count - 1 {
      #expect(throws: ProfileRegistry.ReadFailure.self, "\(count) bytes") {
        try ProfileRegistry(bytes: Array(bytes.prefix(count)))
      }
    }
  }

  @Test func `a list that breaks a rule is damaged, and the reason says which`() throws {
    let (a, b) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
    func row(_ id: String, _ name: String, _ more: String = "") -> String {
      #"{"id":"\#(id)","name":"\#(name)","createdAt":"2024-05-01T10:00:00Z","isInDataFolder":"#
        + "true\(more)}"
    }
    let times = #","erasedAt":"2024-05-01T10:00:00Z","keptUntil":"2024-05-01T09:00:00Z""#
    func list(_ profiles: String, selected: String = a, erased: String = "", version: Int = 1)
      -> String
    {
      #"{"version":\#(version),"selected":"\#(selected)","profiles":[\#(profiles)],"#
        + #""erased":[\#(erased)]}"#
    }
    func reason(_ text: String) -> String? {
      do throws(ProfileRegistry.ReadFailure) {
        _ = try ProfileRegistry(bytes: Array(text.utf8))
        return nil
      } catch {
        guard case .damaged(let reason) = error else { return "newer" }
        return reason
      }
    }
    #expect(reason(list(row(a, "x"))) == nil)
    #expect(reason(list(row(a, "x"), version: 2)) == "newer")
    #expect(reason(#"{"version":9}"#) == "newer")
    #expect(reason(list(row(a, "x"), version: 0)) == "its version is 0")
    #expect(reason(list("")) == "it has no profile")
    #expect(reason(list(row(a, "x"), selected: b)) == "the selected profile is not in it")
    #expect(
      reason(list(row(a, "x"), selected: "b")) == "the id of the selected profile is not an id")
    #expect(reason(list(row(a, "x") + "," + row(a, "y"))) == "an id is there twice")
    #expect(reason(list(row(a, "x") + "," + row(b, "X"))) == "a name is there twice")
    #expect(reason(list(row(a, "x") + "," + row(b, "y"))) == "two profiles are in the data folder")
    #expect(reason(list(row(a, " x"))) == "\" x\" is not a name")
    #expect(
      reason(list(row(a, #"\u001b[2J\u202e\nx"#)))
        == #""\u{1b}[2J\u{202e}\u{a}x" is not a name"#)
    #expect(reason(list(row("A", "x"))) == "an id is not an id")
    #expect(
      reason(list(row(a, "x"), erased: row(b, "y", times + #","isMoved":true"#)))
        == "a profile was erased later than it is kept")
    #expect(
      reason(list(row(a, "x"), erased: row(b, "y", times)))
        == "isMoved of an erased profile is missing")
    #expect(
      reason(list(row(a, "x"), erased: row(b, "y", #","isMoved":true"#)))
        == "a time is not ISO 8601")
    #expect(reason(list(#"{"id":"\#(a)"}"#)) == "name is missing of profile 1")
    #expect(reason(list("7")) == "profiles has the wrong type of profile 1")
    #expect(reason("") == "its 0 bytes are not one whole JSON document")
    #expect(reason("[1]") == "the document has the wrong type")
    #expect(reason(list(row(a, "x")) + "{") == "its 195 bytes are not one whole JSON document")
  }
}
