/// Writes a scene as SVG 1.1: shapes of the base map, the explored area as one square for each
/// pixel of the raster picture, in 32 steps, and text as text.
package struct PictureSVG {
  /// The steps in which explored pixels are shown.
  private static let levels = 32
  private let scene: PictureScene
  private let view: MapView
  private let style: PictureStyle
  private let shapes: BaseShapes

  /// Creates a writer.
  package init(_ scene: PictureScene, shapes: BaseShapes = .linkedIn) {
    (self.scene, self.shapes) = (scene, shapes)
    (view, style) = (scene.view, scene.style)
  }

  /// Passes the document to `sink` piece by piece.
  ///
  /// - Parameters:
  ///   - title: the title of the document.
  ///   - credits: the credits, in its metadata.
  ///   - sink: receives the pieces; false stops.
  ///   - isCancelled: called before each layer of the base map and each band of rows; once it
  ///     returns true, the rest is left out.
  package func write(
    title: String, credits: String, to sink: (String) -> Bool,
    unless isCancelled: () -> Bool = { false }
  ) {
    let frame = view.frame
    var head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(scene.width)" \
      height="\(scene.height)" viewBox="0 0 \(scene.width) \(scene.height)" role="img">
      <title>\(Self.escaped(title))</title>
      <desc>\(Self.escaped(credits))</desc>

      """
    head += "<rect width=\"100%\" height=\"100%\" fill=\"\(color(.background))\"/>\n"
    let outline = view.outline.map { Self.path([$0], closed: true) }
    let box = "M\(frame.x) \(frame.y)h\(frame.width)v\(frame.height)h\(-frame.width)z"
    head += "<clipPath id=\"frame\"><path d=\"\(box)\"/></clipPath>\n"
    head += "<clipPath id=\"world\"><path d=\"\(outline ?? box)\"/></clipPath>\n"
    head += "<g clip-path=\"url(#frame)\"><g clip-path=\"url(#world)\">\n"
    head += "<path d=\"\(box)\" fill=\"\(color(.water))\"/>\n"
    if let line = style.graticule {
      var lines: [[PicturePoint]] = []
      view.forEachGraticuleLine { lines.append($0) }
      head += stroke(lines, line)
    }
    guard sink(head) else { return }
    let order: [BaseShapes.Layer] = [.land, .rivers, .lakes, .regionBorders, .countryBorders]
    for layer in order {
      guard !isCancelled(), sink(drawing(of: layer)) else { return }
    }
    guard let fog = fog(box, unless: isCancelled) else { return }
    for piece in fog where !sink(piece) { return }
    var foot = "</g>\n"
    for overlay in scene.overlays where overlay.isOnMap { foot += drawing(of: overlay) }
    foot += "</g>\n"
    for overlay in scene.overlays where !overlay.isOnMap { foot += drawing(of: overlay) }
    _ = sink(foot + "</svg>\n")
  }

  // MARK: - Shapes

  private func color(_ token: ThemeToken) -> String { Self.hex(style.color(token)) }

  private static func hex(_ color: MapColor) -> String {
    MapColor(red: color.red, green: color.green, blue: color.blue).text
  }

  /// The attribute of an opacity; none for an opaque color.
  private static func opacity(_ name: String, _ color: MapColor) -> String {
    color.alpha == 255 ? "" : " \(name)=\"\(decimal(Double(color.alpha) / 255, 3))\""
  }

  private func drawing(of layer: BaseShapes.Layer) -> String {
    var lines: [[PicturePoint]] = []
    let projector = ShapeProjector(shapes, on: view)
    if layer.isFilled {
      projector.forEachShape(of: layer, zoom: style.shapeZoom) { lines.append($0) }
      let fill = color(layer == .land ? .land : .water)
      return "<path d=\"\(Self.path(lines, closed: true))\" fill=\"\(fill)\"/>\n"
    }
    guard let line = style.line(layer) else { return "" }
    projector.forEachShape(of: layer, zoom: style.shapeZoom) { lines.append($0) }
    return stroke(lines, line)
  }

  private func stroke(_ lines: [[PicturePoint]], _ line: PictureStyle.Line) -> String {
    "<path d=\"\(Self.path(lines, closed: false))\" fill=\"none\" "
      + "stroke=\"\(Self.hex(line.color))\"\(Self.opacity("stroke-opacity", line.color)) "
      + "stroke-width=\"\(Self.decimal(line.width, 2))\" stroke-linejoin=\"round\"/>\n"
  }

  private func drawing(of overlay: PictureScene.Overlay) -> String {
    let fill = Self.hex(overlay.color)
    var text = ""
    if !overlay.lines.isEmpty {
      text += stroke(
        overlay.lines, PictureStyle.Line(color: overlay.color, width: overlay.lineWidth))
    }
    if !overlay.rings.isEmpty {
      text += "<path d=\"\(Self.path(overlay.rings, closed: true))\" fill=\"\(fill)\""
      text += "\(Self.opacity("fill-opacity", overlay.color))/>\n"
    }
    for line in overlay.text {
      let anchor =
        switch line.anchor {
        case .start: "start"
        case .middle: "middle"
        case .end: "end"
        }
      let weight = line.weight == .display ? 600 : 500
      text += "<text x=\"\(Self.decimal(line.x, 2))\" y=\"\(Self.decimal(line.y, 2))\" "
      text += "font-family=\"Inter, Helvetica Neue, Helvetica, Arial, sans-serif\" "
      text += "font-size=\"\(Self.decimal(line.size, 2))\" font-weight=\"\(weight)\" "
      text += "letter-spacing=\"\(Self.decimal(line.tracking * line.size, 2))\" "
      text += "text-anchor=\"\(anchor)\" fill=\"\(fill)\">\(Self.escaped(line.text))</text>\n"
    }
    return text
  }

  // MARK: - Fog

  /// The fog, which leaves out explored pixels, and the explored pixels of each step; nil if the
  /// work is canceled.
  private func fog(_ box: String, unless isCancelled: () -> Bool) -> [String]? {
    let renderer = BandRenderer(scene)
    var holes = box
    var steps = [String](repeating: "", count: Self.levels)
    for band in 0..<scene.bandCount {
      guard !isCancelled() else { return nil }
      let clear = renderer.clearness(band: band)
      for row in 0..<PictureScene.bandHeight {
        let line = band * PictureScene.bandHeight + row
        guard line < scene.height else { break }
        var column = 0
        while column < scene.width {
          let level = Self.level(clear[row * scene.width + column])
          var end = column + 1
          while end < scene.width, Self.level(clear[row * scene.width + end]) == level {
            end += 1
          }
          if let level {
            let run = "M\(column) \(line)h\(end - column)v1h\(column - end)z"
            holes += run
            steps[level] += run
          }
          column = end
        }
      }
    }
    func path(_ data: String, _ fog: MapColor) -> String {
      "<path d=\"\(data)\" fill=\"\(Self.hex(fog))\"\(Self.opacity("fill-opacity", fog))"
        + " fill-rule=\"evenodd\" shape-rendering=\"crispEdges\"/>\n"
    }
    var pieces = [path(holes, style.fog[0])]
    for (level, data) in steps.enumerated() where !data.isEmpty {
      pieces.append(path(data, style.fog[(level + 1) * 255 / Self.levels]))
    }
    return pieces
  }

  /// The step of a clear pixel; nil for fog.
  private static func level(_ clearness: UInt8) -> Int? {
    clearness == 0 ? nil : min(levels - 1, Int(clearness) * levels / 255)
  }

  // MARK: - Text

  /// The path of rings or lines, in steps of 0.01 pixels.
  private static func path(_ lines: [[PicturePoint]], closed isClosed: Bool) -> String {
    var path = ""
    for line in lines {
      var last: (x: Int, y: Int)?
      for point in line {
        let (x, y) = (hundredths(point.x), hundredths(point.y))
        if let last {
          if last == (x, y) { continue }
          path += "l\(number(x - last.x)) \(number(y - last.y))"
        } else {
          path += "M\(number(x)) \(number(y))"
        }
        last = (x, y)
      }
      if isClosed { path += "z" }
    }
    return path
  }

  private static func hundredths(_ value: Double) -> Int {
    Int((max(-1e7, min(1e7, value)) * 100).rounded())
  }

  /// A number of hundredths.
  private static func number(_ hundredths: Int) -> String {
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return rest % 10 == 0
      ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// A number with at most this many digits after the point.
  private static func decimal(_ value: Double, _ digits: Int) -> String {
    let factor = power(10, Double(digits))
    let rounded = (value * factor).rounded() / factor
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// Text for a document: without characters that XML cannot have.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default:
        let isControl =
          scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || scalar.value & 0xFFFE == 0xFFFE
        escaped.unicodeScalars.append(isControl ? " " : scalar)
      }
    }
    return escaped
  }
}
