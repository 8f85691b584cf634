internal import DecantSQLite

/// Stand-ins for the SQL functions that Core Data's own triggers call.
///
/// The triggers keep derived attributes up to date by themselves; the functions only tell the
/// framework which objects changed. Without them every write to such a table fails.
enum PrivateFunctions {
  private static let names = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ]

  static func register(on connection: Connection) throws(SQLiteError) {
    // Triggers of the file call them, and the file is not trusted: they must be known as harmless.
    for name in names { try connection.register(ScalarFunction(), as: name, .innocuous) }
  }
}
