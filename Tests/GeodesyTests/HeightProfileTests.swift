import TestSupport
import Testing

@testable import Geodesy

@Suite struct HeightProfileTests {
  @Test(arguments: Seeds.sample(50))
  func `extremes and first times are those of a search through all fixes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var profile = HeightProfile()
    var fixes: [(meters: Double, time: Timestamp?)] = []
    var height = Double.random(in: -400...3_000, using: &random)
    for index in 0..<Int.random(in: 0...80, using: &random) {
      height += Double.random(in: -60...60, using: &random)
      // Times run backwards now and then.
      let time = Int64(index * 10_000) - Int64.random(in: 0...50_000, using: &random)
      let isDated = Int.random(in: 0..<9, using: &random) > 0
      let fix = (height, isDated ? Timestamp(millisecondsSince1970: time) : nil)
      profile.take(fix.0, at: fix.1)
      profile.take(nil, at: fix.1)
      if HeightProfile.plausibleMeters.contains(height) { fixes.append(fix) }
    }
    profile.take(20_000, at: Timestamp(millisecondsSince1970: 0))
    #expect(profile.highestMeters == fixes.map(\.meters).max())
    #expect(profile.lowestMeters == fixes.map(\.meters).min())
    for limit in stride(from: -500.0, through: 9_000, by: 50) {
      #expect(
        profile.firstTime(at: limit) == fixes.filter { $0.meters >= limit }.compactMap(\.time).min()
      )
      #expect(
        profile.firstTime(below: limit)
          == fixes.filter { $0.meters < limit }.compactMap(\.time).min())
    }
    let read = HeightProfile(
      highestMeters: profile.highestMeters, lowestMeters: profile.lowestMeters,
      steps: profile.steps)
    #expect(try #require(read) == profile)
  }

  @Test func `parts that contradict each other are refused`() {
    func isRead(_ highest: Double?, _ lowest: Double?, _ steps: String) -> Bool {
      HeightProfile(highestMeters: highest, lowestMeters: lowest, steps: steps) != nil
    }
    #expect(isRead(nil, nil, ""))
    #expect(isRead(120, 70, "1:5,2:7"))
    #expect(isRead(120, 70, ""))
    #expect(!isRead(120, nil, ""))
    #expect(!isRead(nil, nil, "1:5"))
    #expect(!isRead(70, 120, ""))
    #expect(!isRead(120, 70, "3:5"))
    #expect(!isRead(120, 70, "1:5,1:6"))
    #expect(!isRead(120, 70, "1:5,"))
    #expect(!isRead(120, 70, "1"))
    #expect(!isRead(120, 70, "1:999999999999999999"))
    #expect(!isRead(.nan, 70, ""))
    #expect(!isRead(20_000, 70, ""))
  }
}
