// `import Roqua` also imports the modules whose types appear in its API.
@_exported import Achievements
@_exported import GeoStore
@_exported import Geocode
@_exported import Geodesy
@_exported import GridHash
@_exported import SQLiteLayer
@_exported import Session
@_exported import TrackIngest
