import ByteStreams
import Foundation
import Geodesy
import Roqua

/// An XMP sidecar with a position (ISO 16684-1; the properties are those of "Exif 2.3 for XMP").
enum Sidecar {
  /// The path of a photo's sidecar: `IMG.jpg.xmp`, which darktable and digiKam read. The name
  /// cannot belong to two photos.
  static func path(of photo: String) -> String { photo + ".xmp" }

  /// The bytes of a sidecar that says nothing but a position.
  static func text(_ estimate: PositionEstimate) -> String {
    let coordinate = estimate.coordinate
    let latitude = angle(coordinate.latitudeE7, "N", "S")
    let longitude = angle(coordinate.longitudeE7, "E", "W")
    let decimeters = Int((estimate.uncertaintyMeters * 10).rounded(.up))
    return """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="\(PhotoTags.toolkit)">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
              xmlns:exif="http://ns.adobe.com/exif/1.0/">
            <exif:GPSVersionID>2.3.0.0</exif:GPSVersionID>
            <exif:GPSLatitude>\(latitude)</exif:GPSLatitude>
            <exif:GPSLongitude>\(longitude)</exif:GPSLongitude>
            <exif:GPSMapDatum>WGS-84</exif:GPSMapDatum>
            <exif:GPSHPositioningError>\(decimeters)/10</exif:GPSHPositioningError>
            <exif:GPSProcessingMethod>\(PhotoTags.manualMethod)</exif:GPSProcessingMethod>
          </rdf:Description>
        </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """
  }

  /// Degrees and minutes, exact to the unit of 1e-7 degree: `48,34.4080000N`.
  private static func angle(_ valueE7: Int32, _ positive: String, _ negative: String) -> String {
    let (degrees, fraction) = valueE7.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    let (minutes, rest) = (UInt64(fraction) * 60).quotientAndRemainder(dividingBy: 10_000_000)
    let digits = String(rest)
    return "\(degrees),\(minutes)." + String(repeating: "0", count: 7 - digits.count) + digits
      + (valueE7 < 0 ? negative : positive)
  }
}
