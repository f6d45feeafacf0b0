/// The sphere with the surface area of the WGS 84 ellipsoid, on which cells and areas are measured.
@usableFromInline
package enum AuthalicSphere {
  /// The radius in meters. WGS 84's authalic radius is 6 371 007.1809 m; the rounding to 0.1 m
  /// changes an area by 6e-9 relative.
  @inlinable package static var radiusMeters: Double { 6_371_007.2 }

  /// The surface area, 4πR², in square meters: 5.100 656e14.
  @inlinable package static var areaSquareMeters: Double {
    4 * Double.pi * radiusMeters * radiusMeters
  }
}
