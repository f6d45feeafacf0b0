/// The sphere on which cells and areas are measured: the one with the same surface as the WGS 84 ellipsoid.
public enum AuthalicSphere {
  /// Its radius in metres. WGS 84's authalic radius is 6 371 007.1809 m; the rounding to 0.1 m changes an area
  /// by 6e-9 relative.
  public static let radiusMeters = 6_371_007.2

  /// Its surface, 4πR², in square metres: 5.100 656e14.
  public static let areaSquareMeters = 4 * Double.pi * radiusMeters * radiusMeters
}
