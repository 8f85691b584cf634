import DecantSQLite
import Testing

@testable import DecantVersions

/// Which values become values of another type without loss.
@Suite struct UnfitFunctionTests {
  @Test(arguments: [
    ("NULL", "int16", 0), ("32767", "int16", 0), ("32768", "int16", 1), ("-32769", "int16", 1),
    ("2147483647", "int32", 0), ("2147483648", "int32", 1), ("2.0", "int32", 0),
    ("2.5", "int64", 1), ("1", "bool", 0), ("2", "bool", 1), ("1.0", "bool", 0),
    // Double has 53 bits for a whole number, Float has 24.
    ("9007199254740992", "double", 0), ("9007199254740993", "double", 1),
    ("16777216", "float", 0), ("16777217", "float", 1), ("0.5", "float", 0), ("0.1", "float", 1),
    ("9007199254740993", "decimal", 0), ("0.1", "decimal", 0),
    ("'12'", "int16", 0), ("'012'", "int16", 1), ("'99999'", "int16", 1), ("'1.5'", "double", 0),
    ("'1.50'", "double", 1), ("'one'", "double", 1), ("''", "int64", 1),
    ("'C0C0A000-0000-4000-8000-000000000001'", "uuid", 0), ("'C0C0A000'", "uuid", 1),
    ("x'00'", "int64", 1),
  ])
  func `a value fits where nothing of it is lost`(_ value: String, _ type: String, _ unfit: Int64) throws {
    let connection = try Connection(":memory:", mode: .create)
    try connection.register(UnfitFunction(), as: "is_unfit", [.deterministic, .directOnly])
    #expect(try connection.integer("SELECT is_unfit(\(value), '\(type)')") == unfit)
  }
}
