/// The kinds of elements of KML, by their local names: `gx:Track` and the `Track` of KML 2.3 are
/// the same.
enum KMLElement: UInt8, XMLElement {
  case document
  case kml
  case placemark
  case track
  case lineString
  case point
  case coordinates
  case coord
  case when
  case timeStamp
  case timeSpan
  case begin
  /// An element in which positions are no way and no mark: an area, a picture, a view, a style, a
  /// change of another document.
  case foreign
  case other

  private static let foreignNames = [
    "Polygon", "LinearRing", "LatLonQuad", "Model", "ExtendedData", "Metadata", "Update", "Tour",
    "NetworkLinkControl", "LookAt", "Camera", "Region", "Style", "StyleMap", "Schema",
  ].map { Array($0.utf8) }

  /// The element with this local name.
  ///
  /// - Complexity: O(length).
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> KMLElement {
    switch name.count {
    case 3: if name.elementsEqual("kml".utf8) { return .kml }
    case 4: if name.elementsEqual("when".utf8) { return .when }
    case 5:
      if name.elementsEqual("coord".utf8) { return .coord }
      if name.elementsEqual("Track".utf8) { return .track }
      if name.elementsEqual("Point".utf8) { return .point }
      if name.elementsEqual("begin".utf8) { return .begin }
    case 8: if name.elementsEqual("TimeSpan".utf8) { return .timeSpan }
    case 9:
      if name.elementsEqual("Placemark".utf8) { return .placemark }
      if name.elementsEqual("TimeStamp".utf8) { return .timeStamp }
    case 10: if name.elementsEqual("LineString".utf8) { return .lineString }
    case 11: if name.elementsEqual("coordinates".utf8) { return .coordinates }
    default: break
    }
    return foreignNames.contains { name.elementsEqual($0) } ? .foreign : .other
  }

  /// The depth of the element in the structure of a KML file. Folders and groups of geometries may
  /// be inside each other, and have none.
  var level: Int? {
    switch self {
    case .kml: 0
    case .placemark: 1
    case .track, .lineString, .point: 2
    default: nil
    }
  }
}
