/// Files of each JSON format that reach most rules of their decoders.
enum JSONSamples {
  static let records = """
    {
      "locations": [{
        "latitudeE7": 481000000, "longitudeE7": 115000000, "accuracy": 12,
        "activity": [{"activity": [{"type": "STILL", "confidence": 62}], "timestamp": "x"}],
        "source": "W\\"IFI", "timestamp": "2024-05-01T10:00:00.000Z", "velocity": 3, "altitude": 520
      }, {
        "timestampMs": "1714557660000", "latitudeE7": 4246967296, "longitudeE7": "115001000"
      }, {"deviceTag": 5, "timestamp": "2024-05-01T10:02:00Z"},
      {"latitudeE7": 481002000, "longitudeE7": 115002000, "timestamp": "2024-05-01T11:00:00Z"}]
    }
    """

  static let semantic = """
    {"timelineObjects": [
      {"activitySegment": {
        "startLocation": {"latitudeE7": 400000000, "longitudeE7": 10000000},
        "waypointPath": {"waypoints": [{"latE7": 400000000, "lngE7": 10000000}]},
        "simplifiedRawPath": {"points": [
          {"latE7": 481000000, "lngE7": 115000000, "accuracyMeters": 5,
           "timestamp": "2024-05-01T10:00:00Z"},
          {"latE7": 481001000, "lngE7": 115001000, "timestampMs": "1714557660000"}]}}},
      {"placeVisit": {
        "location": {"latitudeE7": 481001000, "longitudeE7": 115001000},
        "otherCandidateLocations": [{"latitudeE7": 1, "longitudeE7": 1}],
        "duration": {"startTimestamp": "2024-05-01T10:01:00Z",
          "endTimestamp": "2024-05-01T12:00:00Z"}}},
      {"placeVisit": {
        "duration": {"startTimestampMs": "1714644000000", "endTimestampMs": "1714651200000"},
        "location": {"latitudeE7": 482000000, "longitudeE7": 116000000}}}]}
    """

  static let android = """
    {"semanticSegments": [
      {"startTime": "2024-05-01T10:00:00.000+02:00", "endTime": "2024-05-01T12:00:00.000+02:00",
       "timelinePath": [
        {"point": "48.1°, 11.5°", "time": "2024-05-01T10:00:00.000+02:00"},
        {"point": "48.1001\\u00b0, -11.5001\\u00B0", "time": "2024-05-01T10:05:00.000+02:00"}]},
      {"startTime": "2024-05-01T10:00:00.000+02:00", "endTime": "2024-05-01T11:00:00.000+02:00",
       "visit": {"topCandidate": {"placeLocation": {"latLng": "50.0°, 12.0°"}}}},
      {"startTime": "2024-05-03T10:00:00.000+02:00", "endTime": "2024-05-03T11:00:00.000+02:00",
       "visit": {"topCandidate": {"placeLocation": {"latLng": "51.0°, 13.0°"}}}},
      {"startTime": "2024-05-04T10:00:00Z", "activity": {"start": {"latLng": "1°, 1°"}}},
      {"visit": null}, null],
     "rawSignals": [
      {"position": {"LatLng": "48.2°, 11.6°", "accuracyMeters": 35, "altitudeMeters": 12.5,
        "timestamp": "2024-05-01T12:00:00.000+02:00", "speedMetersPerSecond": 2.5}},
      {"wifiScan": {"devicesRecords": [{"mac": 1}]}}, {"ignored": true}],
     "userLocationProfile": {"frequentPlaces": [{"placeLocation": "48.0°, 11.0°"}]}}
    """

  static let ios = """
    [{"endTime": "2024-05-01T12:00:00.000+02:00", "startTime": "2024-05-01T10:00:00.000+02:00",
      "timelinePath": [
       {"point": "geo:48.1,11.5", "durationMinutesOffsetFromStartTime": "12"},
       {"durationMinutesOffsetFromStartTime": "12", "point": "geo:48.2,11.6"},
       {"point": "geo:48.3,11.7", "durationMinutesOffsetFromStartTime": "-1"},
       {"point": "geo:48.4,11.8", "durationMinutesOffsetFromStartTime": "unknown"}]},
     {"timelinePath": [
       {"point": "48.5,11.9", "durationMinutesOffsetFromStartTime": 30},
       {"point": "48.6,11.9", "time": "2024-05-01T14:45:00Z"}],
      "startTime": "2024-05-01T14:00:00Z"},
     {"startTime": "2024-05-02T10:00:00Z", "endTime": "2024-05-02T11:00:00Z",
      "visit": {"topCandidate": {"placeLocation": "geo:48.7,11.9"}}}]
    """

  static let edits = """
    {"timelineEdits": [
      {"deviceId": "1", "placeAggregates": {"placeAggregateInfo": [
        {"point": {"latE7": 439000000, "lngE7": -788000000}}]}},
      {"deviceId": "1", "rawSignal": {"signal": {"position": {
        "point": {"latE7": 481000000, "lngE7": 115000000}, "accuracyMm": 5500,
        "altitudeMeters": 101.5, "timestamp": "2024-05-01T10:00:00Z"}}}}]}
    """

  static let collection = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "geometry": {"coordinates": [[11.5, 48.1, 500], [11.6, 48.2]],
        "type": "LineString"},
       "properties": {"coordTimes": ["2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z"]}},
      {"type": "Feature", "properties": {"time": "2024-05-01T11:00:00Z", "accuracy": 7},
       "geometry": {"type": "Point", "coordinates": [11.7, 48.3]}},
      {"type": "Feature", "properties": {}, "geometry": {"type": "Point",
       "coordinates": [11.8, 48.4]}},
      {"type": "Feature", "geometry": {"coordinates": [[[1, 2], [3, 4], [1, 2]]],
       "type": "Polygon"}},
      {"type": "Feature", "properties": {"coordinateProperties": {"times": [
         ["2024-05-01T12:00:00Z", null], [1714564920]]}},
       "geometry": {"type": "MultiLineString",
       "coordinates": [[[11.9, 48.5], [12, 48.6]], [["12.1", "48.7"]]]}}]}
    """

  static let recording = """
    2024-05-01T10:00:03Z\t*                 \t{"_type":"location","lat":48.1,"lon":11.5,"acc":10,\
    "alt":520,"vel":36,"tst":1714557600}
    2024-05-01T10:00:04Z\t*                 \t{"tst":1714557601,"lat":48,"lon":11,\
    "_type":"waypoint"}
    2024-05-01T10:00:05Z\t*                 \t{"_type":"location","lat":48.1,"lo
    2024-05-01T10:00:06Z\t*                 \t{"_type":"encrypted","data":"abc"}
    2024-05-01T10:00:07Z\t*                 \t{"tst":"1714557660","vel":-1,"lon":11.6,"lat":48.2,\
    "_type":"location"}
    """

  static let trip = """
    {"locations": [{"lat": 48.1, "lon": 11.5, "time": 1714557600.25},
      {"time": 1714557660.0, "lon": 11.6, "lat": 48.2}, {"lat": null, "lon": 11.6}]}
    """

  /// All samples with their formats.
  static let all: [(JSONFormat, String)] = [
    (.googleTimeline, records), (.googleTimeline, semantic), (.googleTimeline, android),
    (.googleTimeline, ios), (.googleTimeline, edits), (.geojson, collection),
    (.owntracks, recording), (.polarsteps, trip),
  ]
}
