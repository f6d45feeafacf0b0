/// The spatial index of a layer: an R-tree, and the triggers with which programs that change the
/// table keep it up to date.
///
/// The triggers call functions such as `ST_MinX`, which GDAL and QGIS provide.
///
/// - Source: OGC 12-128r17, annex F.3, requirement 77. Versions up to 1.2.0 had another `update3`,
///   and 1.4 has other names for `update1` and `update3`.
struct GeoPackageIndex {
  private let table: String
  private let column = GeoPackageSchema.geometryColumn

  /// The index of a layer.
  init(of layer: ExportLayer) { table = layer.name }

  /// The name of the R-tree.
  var name: String { "rtree_\(table)_\(column)" }

  /// The statement that creates the R-tree.
  var tree: String {
    "CREATE VIRTUAL TABLE \"\(name)\" USING rtree(id, minx, maxx, miny, maxy)"
  }

  /// The statements that create the triggers.
  var triggers: String {
    """
    CREATE TRIGGER "\(name)_insert" AFTER INSERT ON "\(table)"
      WHEN (new."\(column)" NOT NULL AND NOT ST_IsEmpty(NEW."\(column)"))
    BEGIN
      \(insertion)
    END;
    CREATE TRIGGER "\(name)_update1" AFTER UPDATE OF "\(column)" ON "\(table)"
      WHEN OLD."fid" = NEW."fid" AND
           (NEW."\(column)" NOTNULL AND NOT ST_IsEmpty(NEW."\(column)"))
    BEGIN
      \(insertion)
    END;
    CREATE TRIGGER "\(name)_update2" AFTER UPDATE OF "\(column)" ON "\(table)"
      WHEN OLD."fid" = NEW."fid" AND
           (NEW."\(column)" ISNULL OR ST_IsEmpty(NEW."\(column)"))
    BEGIN
      DELETE FROM "\(name)" WHERE id = OLD."fid";
    END;
    CREATE TRIGGER "\(name)_update3" AFTER UPDATE ON "\(table)"
      WHEN OLD."fid" != NEW."fid" AND
           (NEW."\(column)" NOTNULL AND NOT ST_IsEmpty(NEW."\(column)"))
    BEGIN
      DELETE FROM "\(name)" WHERE id = OLD."fid";
      \(insertion)
    END;
    CREATE TRIGGER "\(name)_update4" AFTER UPDATE ON "\(table)"
      WHEN OLD."fid" != NEW."fid" AND
           (NEW."\(column)" ISNULL OR ST_IsEmpty(NEW."\(column)"))
    BEGIN
      DELETE FROM "\(name)" WHERE id IN (OLD."fid", NEW."fid");
    END;
    CREATE TRIGGER "\(name)_delete" AFTER DELETE ON "\(table)"
      WHEN old."\(column)" NOT NULL
    BEGIN
      DELETE FROM "\(name)" WHERE id = OLD."fid";
    END;
    """
  }

  private var insertion: String {
    """
    INSERT OR REPLACE INTO "\(name)" VALUES (
        NEW."fid",
        ST_MinX(NEW."\(column)"), ST_MaxX(NEW."\(column)"),
        ST_MinY(NEW."\(column)"), ST_MaxY(NEW."\(column)")
      );
    """
  }
}
