/// Documents that tests truncate, damage and compare.
enum GPXSamples {
  /// All common forms of points, as written by loggers, watches and web sites.
  static let many = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- made by hand -- -->
    <?xml-stylesheet href="x.xsl"?>
    <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x">
    <metadata><time>2024-05-01T09:00:00Z</time>\
    <bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/></metadata>
    <wpt lat="10.5" lon="20.5"><name>caf\u{e9} &amp; bar</name>\
    <time>2024-05-01T09:00:00Z</time></wpt>
    <rte><name>plan</name><rtept lat="11" lon="21"/><rtept lat="12" lon="22"></rtept></rte>
    <trk><name>a</name><trkseg>
    <trkpt lat="48.1000001" lon="11.5000001"><ele>500.5</ele><time>2024-05-01T10:00:00Z</time>\
    <sat>9</sat><hdop>1.2</hdop></trkpt>
      <trkpt lon="-11.50000015" lat='-48.123456789012345678'>
        <ele>250.12345678901234567</ele>
        <time>2024-05-01T10:00:01.250Z</time>
        <extensions>
          <x:TrackPointExtension>
            <x:hr>120</x:hr>
            <x:cad/>
          </x:TrackPointExtension>
        </extensions>
      </trkpt>
    <trkpt lat="48.2" lon="11.6"/>
    <trkpt lat="48.3" lon="11.7"><time>2024-05-01T12:00:02+02:00</time><speed>3.5</speed>\
    <extensions><accuracy>7.25</accuracy></extensions></trkpt>
    </trkseg><trkseg/><trkseg>
    <trkpt lat="&#52;8.4" lon="11.8"><time><![CDATA[2024-05-01T10:00:03Z]]></time>\
    <desc>a > b</desc></trkpt>
    <trkpt lat="91" lon="11.8"><ele>1</ele></trkpt>
    <trkpt lat="48.5" lon="180"><ele>-12,5</ele><time>2024-05-01T10:00:04Z</time>\
    <hdop> 2 </hdop></trkpt>
    </trkseg></trk>
    </gpx>

    """
}
