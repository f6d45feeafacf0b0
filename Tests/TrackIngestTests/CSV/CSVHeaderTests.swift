import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Which columns of a table are which, by their names.
@Suite struct CSVHeaderTests {
  private func decode(_ text: String) -> TrackRecorder {
    TrackRecorder(Array(text.utf8), with: CSVDecoder(now: readingTime))
  }

  private func header(_ names: String) -> CSVHeader? {
    Array(names.utf8).withUnsafeBufferPointer { CSVHeader.read($0) }
  }

  @Test(arguments: [
    "latitude_accuracy", "lat error", "lat_std", "latitude stddev", "lat_sigma", "latitudeStd",
    "latitude deviation", "lat uncertainty", "latitude variance",
    "Latitude (std)", "latitudeError", "lat_err", "latitude Genauigkeit",
  ])
  func `an accuracy or a deviation of a coordinate is neither the coordinate nor an accuracy`(
    name: String
  ) {
    let names = "\(name),lat,lon"
    #expect(header(names)?.latitude == 1, "\(names)")
    #expect(header(names)?.longitude == 2, "\(names)")
    #expect(header(names)?.accuracy == nil, "\(names)")
    #expect(header("\(name),lon") == nil)
  }

  @Test(arguments: [
    "lat_dir,lon_dir", "Latitude hemisphere,Longitude hemisphere", "lat_ref,lon_ref",
    "latitude direction,longitude direction", "latDir,lngDir", "LatitudeRef,LongitudeRef",
    "N/S,E/W",
  ])
  func `names of the hemisphere mean the letter`(names: String) {
    let expected = [Coordinate(-33.8, -70.6)]
    let before = decode("\(names),lat,lon\nS,W,33.8,70.6\n")
    #expect(before.positions.map(\.coordinate) == expected)
    let behind = decode("lat,lon,\(names)\n33.8,70.6,S,W\n")
    #expect(behind.positions.map(\.coordinate) == expected)
  }

  @Test(arguments: [("48.0", "11.0"), ("North", "East"), ("north", "EAST"), ("N", "E")])
  func `words for a hemisphere count, and coordinates of a reference do no harm`(
    latitude: String, longitude: String
  ) {
    let read = decode("lat,lon,lat_ref,lon_ref\n48.1,11.5,\(latitude),\(longitude)\n")
    #expect(read.positions.map(\.coordinate) == [Coordinate(48.1, 11.5)])
    let south = decode("lat,lon,lat_dir,lon_dir\n48.1,11.5,South,west\n")
    #expect(south.positions.map(\.coordinate) == [Coordinate(-48.1, -11.5)])
  }

  @Test(arguments: [
    ("accuracyMm", 0.001), ("accuracy (millimeters)", 0.001), ("accuracy (centimeters)", 0.01),
    ("accuracy_centimeters", 0.01), ("accuracyKm", 1_000), ("accuracyMiles", 1_609.344),
    ("accuracy (m)", 1), ("horizontalAccuracy", 1), ("accuracyMeters", 1),
  ])
  func `the unit of an accuracy is found in its name`(name: String, meters: Double) {
    let header = header("lat,lon,\(name)")
    #expect(header?.accuracy == 2 && header?.metersPerAccuracy == meters, "\(name)")
  }

  @Test(arguments: ["time accuracy", "timestampAccuracy", "timeAccuracy", "speed_accuracy"])
  func `the accuracy of a time is not that of a position`(name: String) {
    #expect(header("lat,lon,\(name)")?.accuracy == nil)
  }

  @Test(arguments: [
    "lat,lon", "latitude,longitude", "Latitude (deg),Longitude (deg)", "location-lat,location-long",
    "gps_latitude,gps_longitude", "LATITUDE N/S,LONGITUDE E/W", "Breitengrad,Längengrad",
    "latitudeDeg,longitudeDeg", "lat_wgs84,lon_wgs84", "Latitude [°],Longitude [°]",
  ])
  func `a plain name goes before one of several, wherever it stands`(names: String) {
    for other in [
      "home_latitude,home_longitude", "raw_lat,raw_lon", "min_lat,min_lon", "lat2,lon2",
    ] {
      let behind = header("\(other),\(names)")
      #expect(behind?.latitude == 2 && behind?.longitude == 3, "\(other),\(names)")
      let before = header("\(names),\(other)")
      #expect(before?.latitude == 0 && before?.longitude == 1, "\(names),\(other)")
    }
  }

  @Test func `both coordinates have names of the same kind if there are such`() {
    // The plain pair, although one of its names is behind.
    let split = header("home_lat,lat,home_lon,lon")
    #expect(split?.latitude == 1 && split?.longitude == 3)
    // Only home has both.
    let home = header("lat,home_lat,home_lon")
    #expect(home?.latitude == 1 && home?.longitude == 2)
    // Neither has both.
    let mixed = header("home_lat,lon")
    #expect(mixed?.latitude == 0 && mixed?.longitude == 1)
    // Among equals the first counts.
    let equal = header("start_lat,start_lon,end_lat,end_lon")
    #expect(equal?.latitude == 0 && equal?.longitude == 1)
    let units = decode("home_lat,home_lon,latitudeE7,longitudeE7\n1,2,-338000000,-706000000\n")
    #expect(units.positions.map(\.coordinate) == [Coordinate(-33.8, -70.6)])
  }

  @Test(arguments: [
    "altitudeAccuracy", "altitude_accuracy", "velocity_accuracy", "time accuracy", "ele_accuracy",
    "timestampAccuracy", "activity_accuracy", "heightAccuracy", "Höhe Genauigkeit", "speedAccuracy",
    "alt accuracy", "elevation accuracy", "vertical_accuracy",
  ])
  func `the accuracy of something else is not that of the position`(name: String) {
    let found = header("\(name),lat,lon,accuracy")
    #expect(found?.accuracy == 3)
    #expect(found?.elevation == nil && found?.speed == nil && found?.moment == nil)
  }

  @Test(
    arguments: [
      ("accuracy", "8", 8), ("accuracy", "8 m", 8), ("accuracy", "164 ft", 49.9872),
      ("accuracy (ft)", "100", 30.48), ("accuracy_feet", "100", 30.48),
      ("accuracyFeet", "100", 30.48),
      ("accuracy (ft)", "8 m", 8), ("accuracy (km)", "0.02", 20), ("accuracy", "0.01mi", 16.09344),
      ("accuracy (m)", "8", 8), ("Genauigkeit [Meter]", "8", 8), ("horizontal_accuracy_m", "8", 8),
      ("accuracy (horizontal)", "8", 8), ("accuracy", "8 meters", 8), ("accuracy", "12 %", nil),
      ("accuracy", "12%", nil), ("accuracy (%)", "12", nil), ("accuracy_percent", "12", nil),
      ("accuracy (au)", "1", nil), ("accuracy", "3 arcsec", nil),
    ] as [(String, String, Double?)])
  func `an accuracy is converted to meters, and unknown in a unit that is not a length`(
    name: String, value: String, meters: Double?
  ) {
    let read = decode("lat,lon,\(name)\n1,2,\(value)\n")
    let found = read.positions.first.flatMap(\.horizontalAccuracyMeters)
    #expect(found.map { ($0 * 1e6).rounded() } == meters.map { ($0 * 1e6).rounded() })
    #expect(read.positions.count == 1)
  }

  @Test func `HDOP counts where the unit of the accuracy is unknown`() {
    let read = decode("lat,lon,accuracy (%),hdop\n1,2,90,2\n")
    #expect(read.positions.map(\.horizontalAccuracyMeters) == [10])
  }
}
