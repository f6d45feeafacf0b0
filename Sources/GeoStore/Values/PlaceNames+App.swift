import Geodesy

extension PlaceNames {
  /// The name for the one column that the Roqua app has for both: the district, else the quarter.
  var appDistrict: String? { district ?? quarter }
}
