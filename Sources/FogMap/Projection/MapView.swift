/// The projection of a picture.
package enum PictureProjection: Hashable, Sendable {
  /// ``WebMercator``
  case mercator
  /// ``EqualEarth``
  case equalEarth
  /// ``Globe``
  case globe
}

/// A rectangle of pixels of a picture.
package struct PictureFrame: Hashable, Sendable {
  /// The left column.
  package var x: Int
  /// The upper row.
  package var y: Int
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int

  /// Creates a rectangle.
  package init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// A part of a map on a picture: the projection, the position at the middle, and the scale.
///
/// The world is shown once: a map of the world ends 180° east and west of its center.
package struct MapView: Hashable, Sendable {
  /// The projection.
  package let projection: PictureProjection
  /// The position in the middle of the picture.
  package let center: Angles
  /// The pixels of a radian: of the equator in Mercator and Equal Earth, of the middle of a globe.
  package let scale: Double
  /// The part of the picture that shows the map.
  package let frame: PictureFrame

  /// The point of the picture that shows the center.
  private let (originX, originY): (Double, Double)
  /// y of the center, in radians.
  private let middle: Double
  private let (centerSine, centerCosine): (Double, Double)

  /// Creates a view.
  package init(
    _ projection: PictureProjection, center: Angles, scale: Double, frame: PictureFrame
  ) {
    var center = center
    if projection == .mercator {
      let limit = WebMercator.latitudeLimit
      center.latitude = max(-limit, min(limit, center.latitude))
    }
    (self.projection, self.center, self.scale) = (projection, center, scale)
    self.frame = frame
    originX = Double(frame.x) + Double(frame.width) / 2
    originY = Double(frame.y) + Double(frame.height) / 2
    (centerSine, centerCosine) = (sine(center.latitude), cosine(center.latitude))
    middle = projection == .globe ? 0 : Self.row(center.latitude, projection).y
  }

  /// The row of the center, in pixels from the top.
  var middleRow: Double { originY }
  /// The column of the center, in pixels from the left.
  var middleColumn: Double { originX }

  /// How long a radian of longitude is at a latitude, and how far north it is, on the map of the
  /// unit sphere: x is the first one times the longitude.
  private static func row(
    _ latitude: Double, _ projection: PictureProjection
  ) -> (length: Double, y: Double) {
    switch projection {
    case .mercator:
      let limit = WebMercator.latitudeLimit
      let clamped = max(-limit, min(limit, latitude))
      return (1, inverseHyperbolicSine(tangent(clamped)))
    case .equalEarth:
      let point = EqualEarth.point(of: Angles(latitude: latitude, longitude: 1))
      return (point.x, point.y)
    case .globe: return (cosine(latitude), sine(latitude))
    }
  }

  /// A parallel on the picture.
  struct Parallel {
    /// The pixels of a radian of longitude; on a globe, the cosine of the latitude.
    let length: Double
    /// The row, in pixels from the top; on a globe, the sine of the latitude.
    let y: Double
  }

  /// The parallel of a latitude in radians.
  func parallel(_ latitude: Double) -> Parallel {
    let row = Self.row(latitude, projection)
    if projection == .globe { return Parallel(length: row.length, y: row.y) }
    return Parallel(length: scale * row.length, y: originY - scale * (row.y - middle))
  }

  /// A row in Mercator, moved within its row of pixels so that equal distances are equal areas on
  /// the sphere.
  ///
  /// - Parameter sine: the sine of its latitude.
  func rowOfEqualArea(_ y: Double, sine: Double) -> Double {
    func edge(_ row: Double) -> Double {
      hyperbolicTangent(middle + (originY - row) / scale)
    }
    let row = y.rounded(.down)
    let (top, bottom) = (edge(row), edge(row + 1))
    return row + max(0, min(1, (top - sine) / (top - bottom)))
  }

  /// A longitude relative to the center, and its sine and cosine, which a globe needs.
  struct Meridian {
    let east: Double
    let sine: Double
    let cosine: Double
  }

  /// The meridian `east` radians east of the center's.
  func meridian(east: Double) -> Meridian {
    if projection == .globe {
      return Meridian(east: east, sine: FogMap.sine(east), cosine: FogMap.cosine(east))
    }
    return Meridian(east: max(-.pi, min(.pi, east)), sine: 0, cosine: 0)
  }

  /// Where a parallel and a meridian meet, in pixels from the upper left corner. Positions on the
  /// far side of a globe are moved to its rim.
  @inline(__always)
  func point(_ parallel: Parallel, _ meridian: Meridian) -> (x: Double, y: Double) {
    if projection != .globe { return (originX + parallel.length * meridian.east, parallel.y) }
    var x = parallel.length * meridian.sine
    let forward = parallel.length * meridian.cosine
    var y = centerCosine * parallel.y - centerSine * forward
    if centerSine * parallel.y + centerCosine * forward < 0 {
      let length = (x * x + y * y).squareRoot()
      if length > 0 { (x, y) = (x / length, y / length) }
    }
    return (originX + scale * x, originY - scale * y)
  }

  /// The point of a position, in pixels from the upper left corner. Positions on the far side of a
  /// globe are moved to its rim.
  ///
  /// - Parameters:
  ///   - latitude: in radians.
  ///   - east: the longitude east of the center's, in radians.
  package func point(latitude: Double, east: Double) -> SIMD2<Double> {
    let found = point(parallel(latitude), meridian(east: east))
    return SIMD2(found.x, found.y)
  }

  /// The point of a position in degrees; nil if it is outside the frame, or near the rim of a
  /// globe.
  package func visiblePoint(
    latitudeDegrees: Double, longitudeDegrees: Double
  ) -> SIMD2<Double>? {
    let latitude = latitudeDegrees * .pi / 180
    let longitude = longitudeDegrees * .pi / 180
    if projection == .globe,
      cosineFromCenter(Angles(latitude: latitude, longitude: longitude)) < 0.2
    {
      return nil
    }
    let east = (longitude - center.longitude).remainder(dividingBy: 2 * .pi)
    let found = point(latitude: latitude, east: east)
    let (x, y) = (Double(frame.x), Double(frame.y))
    guard found.x >= x, found.x <= x + Double(frame.width), found.y >= y,
      found.y <= y + Double(frame.height)
    else { return nil }
    return found
  }

  /// The cosine of the angle between the center and a position.
  func cosineFromCenter(_ angles: Angles) -> Double {
    centerSine * sine(angles.latitude)
      + centerCosine * cosine(angles.latitude) * cosine(angles.longitude - center.longitude)
  }

  /// The position of a point of the picture, in pixels; nil outside the world.
  package func angles(x: Double, y: Double) -> Angles? {
    let point = MapPoint(
      x: (x - originX) / scale, y: (originY - y) / scale)
    var found: Angles?
    switch projection {
    case .mercator: found = WebMercator.angles(of: MapPoint(x: point.x, y: point.y + middle))
    case .equalEarth: found = EqualEarth.angles(of: MapPoint(x: point.x, y: point.y + middle))
    case .globe: return Globe(center: center).angles(of: point)
    }
    guard var angles = found else { return nil }
    angles.longitude = (angles.longitude + center.longitude).remainder(dividingBy: 2 * .pi)
    return angles
  }

  /// The zoom of a map page that shows the center as large: its tiles have 512 pixels.
  package var zoom: Double {
    // A Mercator map is larger than its equator away from it.
    let factor = projection == .mercator ? 1 : max(0.08, centerCosine)
    return logarithm(2 * .pi * scale * factor / 512) / logarithm(2)
  }
}
