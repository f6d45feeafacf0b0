import GridHash

/// All that a picture shows, as shapes in pixels: ready to be drawn in bands of rows by any number
/// of threads.
package struct PictureScene: Sendable {
  /// Something drawn on top of the map, in one color.
  package struct Overlay: Sendable {
    let color: MapColor
    let edges: EdgeBands
    /// Whether it ends at the map's frame.
    let isOnMap: Bool
    /// What the edges are made of: lines of a width, filled rings, and text.
    let lines: [[PicturePoint]]
    let lineWidth: Double
    let rings: [[PicturePoint]]
    let text: [TextLine]
  }

  /// The rows of a band.
  package static let bandHeight = 32

  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  let view: MapView
  let style: PictureStyle
  /// The filled shapes and lines of the base map.
  let base: [EdgeBands]
  /// Lines of longitude and latitude.
  let graticule: EdgeBands
  /// The outline of the world; nil if the world fills the frame.
  let outline: EdgeBands?
  /// The explored cells.
  private(set) var cells: PictureCells?
  /// Dots where the explored area is too small to be seen, below all other overlays.
  private var spots: [Overlay] = []
  /// What was added on top, in order.
  private var added: [Overlay] = []
  /// What is drawn on top of the map, in order.
  var overlays: [Overlay] { spots + added }

  /// Creates the scene of a base map.
  ///
  /// - Complexity: O(points of the base map in the view).
  package init(
    width: Int, height: Int, view: MapView, style: PictureStyle,
    shapes: BaseShapes = .linkedIn
  ) {
    (self.width, self.height, self.view, self.style) = (width, height, view, style)
    let empty = EdgeBands(width: width, height: height, bandHeight: Self.bandHeight)
    let projector = ShapeProjector(shapes, on: view)
    base = BaseShapes.Layer.allCases.map { layer in
      var edges = empty
      if layer.isFilled {
        projector.forEachShape(of: layer, zoom: style.shapeZoom) { edges.add($0) }
      } else if let line = style.line(layer) {
        projector.forEachShape(of: layer, zoom: style.shapeZoom) {
          edges.add(line: $0, width: line.width)
        }
      }
      return edges
    }
    graticule =
      style.graticule.map { line in
        var edges = empty
        view.forEachGraticuleLine { edges.add(line: $0, width: line.width) }
        return edges
      } ?? empty
    let ring = view.outline
    outline = ring.map {
      var edges = empty
      edges.add($0)
      return edges
    }
    if let ring {
      addOverlay(
        style.rim.color, onMap: true, lines: [ring + ring.prefix(2)], width: style.rim.width)
    }
  }

  /// Shows the cells of a coverage, and dots where they are too small to be seen.
  package mutating func setCells(_ coverage: Coverage) {
    cells = PictureCells(
      coverage, on: view, bandHeight: Self.bandHeight, margin: style.reach.margin)
    let found = PictureSpots(coverage, on: view, pen: style.pen)
    spots = [
      (style.spotRing, PictureSpots.radii.ring), (style.color(.primary), PictureSpots.radii.dot),
    ].map { color, radius in
      overlay(color, onMap: true, rings: found.rings(radius: radius * style.pen))
    }
  }

  /// The number of bands.
  package var bandCount: Int { (height + Self.bandHeight - 1) / Self.bandHeight }

  /// Draws lines with a width, or text, on top of everything before.
  package mutating func addOverlay(
    _ color: MapColor, onMap isOnMap: Bool = false, lines: [[PicturePoint]] = [],
    width lineWidth: Double = 1, text: [TextLine] = []
  ) {
    added.append(overlay(color, onMap: isOnMap, lines: lines, width: lineWidth, text: text))
  }

  private func overlay(
    _ color: MapColor, onMap isOnMap: Bool, lines: [[PicturePoint]] = [],
    width lineWidth: Double = 1, rings: [[PicturePoint]] = [], text: [TextLine] = []
  ) -> Overlay {
    var edges = EdgeBands(width: width, height: height, bandHeight: Self.bandHeight)
    for line in lines { edges.add(line: line, width: lineWidth) }
    for ring in rings { edges.add(ring) }
    for line in text {
      for ring in line.rings { edges.add(ring) }
    }
    return Overlay(
      color: color, edges: edges, isOnMap: isOnMap, lines: lines, lineWidth: lineWidth,
      rings: rings, text: text)
  }

  /// Writes a date into the lower left corner of the map.
  package mutating func addDate(_ date: String) {
    let frame = view.frame
    let size = (Double(frame.width) * Double(frame.height)).squareRoot()
    let isOnWater = outline == nil
    var line = TextLine(
      date, size: 0.06 * size, weight: .display, x: Double(frame.x) + 0.035 * size,
      y: Double(frame.y + frame.height) - 0.04 * size)
    line.fit(width: Double(frame.width) / 2)
    addOverlay(style.color(isOnWater ? .label : .text), text: [line])
  }

  /// Removes the overlay that was added last.
  package mutating func removeOverlay() { added.removeLast() }
}

extension MapView {
  /// The outline of the world, counterclockwise as seen; nil if it lies outside the frame.
  package var outline: [PicturePoint]? {
    let (left, top) = (Double(frame.x), Double(frame.y))
    let (right, bottom) = (left + Double(frame.width), top + Double(frame.height))
    // The world is convex, so it fills the frame if it contains the corners.
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
    if corners.allSatisfy({ angles(x: $0.0, y: $0.1) != nil }) { return nil }
    // An arc of angle a deviates from its chord by a² / 8: by at most 0.05 pixels.
    let stepsPerRadian = (scale / (8 * 0.05)).squareRoot()
    if projection == .globe {
      let count = max(720, Int(2 * .pi * stepsPerRadian))
      return (0..<count).map { step in
        let angle = 2 * Double.pi * Double(step) / Double(count)
        return PicturePoint(
          middleColumn + scale * cosine(angle), middleRow - scale * sine(angle))
      }
    }
    let limit = projection == .mercator ? WebMercator.latitudeLimit : .pi / 2
    let count = projection == .mercator ? 1 : max(360, Int(.pi * stepsPerRadian))
    func side(_ east: Double) -> [PicturePoint] {
      (0...count).map { step in
        let latitude = limit * (1 - 2 * Double(step) / Double(count))
        let point = point(parallel(latitude), meridian(east: east))
        return PicturePoint(point.x, point.y)
      }
    }
    return side(-.pi) + side(.pi).reversed()
  }
}

extension MapView {
  /// Calls `body` with the parallels and meridians of every 30 degrees that can be seen, except for
  /// those at the edge of the map.
  func forEachGraticuleLine(_ body: ([PicturePoint]) -> Void) {
    for latitude in stride(from: -60.0, through: 60, by: 30) {
      trace((-180...180).map { (latitude, Double($0)) }, body)
    }
    for longitude in stride(from: -180.0, to: 180, by: 30) {
      let last = projection == .mercator ? 85 : 90
      trace((-last...last).map { (Double($0), longitude) }, body)
    }
  }
  /// Calls `body` with the parts of a line that can be seen, in pixels. Positions are in degrees;
  /// longitudes may go beyond ±180.
  package func trace(
    _ positions: [(latitude: Double, longitude: Double)], _ body: ([PicturePoint]) -> Void
  ) {
    let radians = Double.pi / 180
    var line: [PicturePoint] = []
    for (latitude, longitude) in positions {
      let angles = Angles(latitude: latitude * radians, longitude: longitude * radians)
      let east = (angles.longitude - center.longitude).remainder(dividingBy: 2 * .pi)
      let next = point(latitude: angles.latitude, east: east)
      let isSeen = projection != .globe || cosineFromCenter(angles) > 0
      // A line around the world ends at one side of the map and goes on at the other.
      let jumps = line.last.map { abs($0.x - next.x) > scale } ?? false
      if !isSeen || jumps {
        if line.count > 1 { body(line) }
        line.removeAll()
      }
      if isSeen { line.append(next) }
    }
    if line.count > 1 { body(line) }
  }
}
