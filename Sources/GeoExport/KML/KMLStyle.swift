/// The looks of placemarks. The colors are readable on maps and on satellite pictures.
enum KMLStyle: String, CaseIterable {
  /// Points with a label.
  case point
  /// Points without one: there are too many.
  case dot
  case line
  case polygon

  /// The style of a layer's features. Fixes, which are parts of segments, are dots.
  init(of layer: ExportLayer) {
    switch layer.shape {
    case .point: self = layer.fields.contains { $0.name == "segment" } ? .dot : .point
    case .line: self = .line
    case .polygon: self = .polygon
    }
  }

  /// The element of the style. Colors are opacity, blue, green and red. There is no link to a
  /// picture, so that no reader fetches one.
  var element: String {
    let parts =
      switch self {
      case .point:
        """
        <IconStyle><color>ff1478f0</color><scale>0.8</scale></IconStyle>\
        <LabelStyle><scale>0.8</scale></LabelStyle>
        """
      case .dot:
        """
        <IconStyle><color>ff1478f0</color><scale>0.4</scale></IconStyle>\
        <LabelStyle><scale>0</scale></LabelStyle>
        """
      case .line: "<LineStyle><color>fff07814</color><width>3</width></LineStyle>"
      case .polygon:
        """
        <LineStyle><color>fff07814</color><width>1</width></LineStyle>\
        <PolyStyle><color>66f07814</color></PolyStyle>
        """
      }
    return "<Style id=\"\(rawValue)\">\(parts)</Style>\n"
  }
}
