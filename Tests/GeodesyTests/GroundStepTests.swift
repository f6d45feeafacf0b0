import Geodesy
import Testing

@Suite struct GroundStepTests {
  @Test func `a step is possible up to 350 meters for each second, and 21 kilometers in a minute`()
  {
    #expect(GroundStep.isPossible(meters: 0, milliseconds: 0))
    #expect(GroundStep.isPossible(meters: 21_000, milliseconds: 0))
    #expect(GroundStep.isPossible(meters: 21_000, milliseconds: 60_000))
    #expect(!GroundStep.isPossible(meters: 21_000.1, milliseconds: 60_000))
    #expect(GroundStep.isPossible(meters: 350_000, milliseconds: 1_000_000))
    #expect(!GroundStep.isPossible(meters: 350_000.1, milliseconds: 1_000_000))
    // 1,260 km/h, as the comment says.
    #expect(GroundStep.fastestMetersPerSecond * 3.6 == 1_260)
  }
}
