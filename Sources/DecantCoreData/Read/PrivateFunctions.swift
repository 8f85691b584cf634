internal import DecantSQLite

/// Substitutes for the SQL functions that Core Data's own triggers call.
///
/// The triggers update derived attributes themselves; the functions only tell the framework which objects changed.
/// Without them every write to such a table fails.
enum PrivateFunctions {
  private static let names = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ]

  static func register(on connection: Connection) throws(SQLiteError) {
    // Triggers of the file, which is not trusted, call them: they must be registered as innocuous.
    for name in names { try connection.register(ScalarFunction(), as: name, .innocuous) }
  }
}
