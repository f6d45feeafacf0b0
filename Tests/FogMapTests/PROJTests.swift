#if SpatiaLite
  import CProj
  import TestSupport
  import Testing

  @testable import FogMap

  /// The projections with those of PROJ, on a sphere of radius 1.
  @Suite struct PROJTests {
    /// The point that PROJ gives for a position; nil if it has none.
    private func point(_ definition: String, of angles: Angles) -> MapPoint? {
      // Tests run at the same time, and a context, such as the default one, serves one thread.
      let context = proj_context_create()
      defer { proj_context_destroy(context) }
      guard let projection = proj_create(context, definition) else {
        Issue.record("PROJ does not know \(definition)")
        return nil
      }
      defer { proj_destroy(projection) }
      let answer = proj_trans(
        projection, PJ_FWD, proj_coord(angles.longitude, angles.latitude, 0, 0))
      guard answer.xy.x.isFinite, answer.xy.y.isFinite else { return nil }
      return MapPoint(x: answer.xy.x, y: answer.xy.y)
    }

    private func isNear(_ point: MapPoint?, _ other: MapPoint?) -> Bool {
      guard let point, let other else { return false }
      return abs(point.x - other.x) < 1e-9 && abs(point.y - other.y) < 1e-9
    }

    @Test(arguments: Seeds.sample(200))
    func `positions lie where PROJ puts them`(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      let angles = Angles(
        latitude: Double.random(in: -1.48...1.48, using: &random),
        longitude: Double.random(in: -3.14...3.14, using: &random))
      #expect(
        isNear(WebMercator.point(of: angles), point("+proj=merc +R=1 +units=m", of: angles)))
      #expect(
        isNear(EqualEarth.point(of: angles), point("+proj=eqearth +R=1 +units=m", of: angles)))
    }

    @Test(arguments: Seeds.sample(200))
    func `the globe is PROJ's orthographic projection`(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      let center = Angles(
        latitude: Double.random(in: -1.5...1.5, using: &random),
        longitude: Double.random(in: -3.1...3.1, using: &random))
      let angles = Angles(
        latitude: Double.random(in: -1.57...1.57, using: &random),
        longitude: Double.random(in: -3.14...3.14, using: &random))
      guard let found = Globe(center: center).point(of: angles) else { return }
      // PROJ takes the middle of the map in degrees.
      let degrees = 180 / Double.pi
      let definition =
        "+proj=ortho +R=1 +units=m +lat_0=\(center.latitude * degrees) "
        + "+lon_0=\(center.longitude * degrees)"
      #expect(isNear(found, point(definition, of: angles)))
    }
  }
#endif
