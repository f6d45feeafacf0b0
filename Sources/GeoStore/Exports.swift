// `import GeoStore` also imports the errors and options of the database in its API.
@_exported import SQLiteLayer
