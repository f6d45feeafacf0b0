import Foundation
import Testing

@testable import roqua_tool

@Suite struct PlaceWordingTests {
  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], true), (["LANG": "de_DE.utf8", "TERM": "xterm"], true),
    (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true),
    (["LANG": "en_US.UTF-8", "NO_COLOR": ""], true),
    (["LANG": "en_US.UTF-8", "NO_COLOR": "1"], false),
    (["LANG": "en_US.UTF-8", "TERM": "dumb"], false), (["LANG": "en_US.ISO-8859-1"], false),
    ([:], false),
    (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false),
  ])
  func `flags are shown on terminals that can display them`(
    environment: [String: String], showsFlags: Bool
  ) {
    let onTerminal = PlaceWording(environment: environment, isTerminal: true)
    #expect(onTerminal.showsFlags == showsFlags)
    #expect(onTerminal.text(code: "TR", name: "x")?.hasPrefix("🇹🇷 ") == showsFlags)
    #expect(
      !PlaceWording(environment: environment, isTerminal: false).showsFlags, "never in a pipe")
  }

  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], "Türkei"), (["LANG": "de_AT@euro"], "Türkei"),
    (["LANG": "de"], "Türkei"),
    (["LC_MESSAGES": "fr_FR.UTF-8", "LANG": "de_DE.UTF-8"], "Turquie"),
    (["LC_ALL": "ja_JP.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"], "トルコ"),
    (["LANG": "en_GB.UTF-8"], "Türkiye"), (["LANG": "C.UTF-8"], "Türkiye"),
    (["LANG": "POSIX"], "Türkiye"),
    (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], "Türkiye"), ([:], "Türkiye"),
    (["LANG": "zz_ZZ"], "Türkiye"),
    (["LANGUAGE": "fr:ja", "LANG": "de_DE.UTF-8"], "Turquie"),
    (["LANGUAGE": "", "LANG": "de_DE"], "Türkei"),
    (["LANGUAGE": "zz:ja", "LC_ALL": "de_DE.UTF-8"], "トルコ"),
    (["LANGUAGE": "zz", "LANG": "de_DE"], "Türkei"),
    (["LANGUAGE": "en:fr", "LANG": "de_DE.UTF-8"], "Türkiye"),
    (["LANGUAGE": "C:fr", "LANG": "de_DE"], "Türkiye"),
    (["LANGUAGE": "fr", "LANG": "C.UTF-8"], "Türkiye"), (["LANGUAGE": "fr"], "Türkiye"),
    (["LANGUAGE": "fr", "LANG": "de_DE.UTF-8", "LC_ALL": "C"], "Türkiye"),
  ])
  func `a country is named in the user's language`(environment: [String: String], name: String) {
    let wording = PlaceWording(environment: environment, isTerminal: false)
    #expect(wording.text(code: "TR", name: "Türkiye") == name)
  }

  @Test func `a country without a code keeps its name, and a missing country stays missing`() {
    let wording = PlaceWording(environment: ["LANG": "de_DE.UTF-8"], isTerminal: true)
    #expect(wording.text(code: nil, name: "Atlantis") == "Atlantis")
    #expect(wording.text(code: "QZ", name: nil)?.hasSuffix("QZ") == true)
    #expect(wording.text(code: nil, name: nil) == nil)
  }
}
