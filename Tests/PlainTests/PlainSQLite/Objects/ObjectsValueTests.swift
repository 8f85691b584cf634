import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Values of every type, whatever storage class they are of: in plain tables and back.
@Suite struct ObjectsValueTests {
  private let folder: TemporaryFolder
  private let model: String
  private let path: String

  private static let types = [
    "small": "Integer 16", "large": "Integer 64", "flag": "Boolean", "number": "Double",
    "single": "Float", "price": "Decimal", "day": "Date", "name": "String", "link": "URI",
    "mark": "UUID", "bytes": "Binary", "shape": "Transformable", "picture": "Binary",
  ]

  private static let columns =
    "ZFLAG INTEGER, ZLARGE INTEGER, ZSMALL INTEGER, ZNUMBER FLOAT, ZSINGLE FLOAT, ZDAY TIMESTAMP, "
    + "ZPRICE DECIMAL, ZNAME VARCHAR, ZLINK VARCHAR, ZMARK BLOB, ZSHAPE BLOB, ZBYTES BLOB, ZPICTURE BLOB"

  /// A store with one entity that has an attribute of each type, and no objects.
  init() throws {
    folder = try TemporaryFolder()
    model = folder.path("Values.xcdatamodel")
    path = folder.path("values.sqlite")
    let attributes = Self.types.map { name, type in
      "<attribute name='\(name)' attributeType='\(type)' optional='YES'"
        + (name == "picture" ? " allowsExternalBinaryDataStorage='YES'/>" : "/>")
    }
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    let contents = "<model><entity name='Thing'>\(attributes.joined())</entity></model>"
    try Data(contents.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(Self.columns));
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 0);
      INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000003', NULL);
      """
    )
  }

  private func insert(_ values: [(column: String, value: String)]) throws {
    let rows = values.map { "INSERT INTO ZTHING (Z_ENT, Z_OPT, \($0)) VALUES (1, 1, \($1))" }
    _ = try Program.sqlite3(path, rows.joined(separator: ";\n"))
  }

  private func options(_ configure: (inout CopyOptions) -> Void = { _ in }) -> CopyOptions {
    var options = CopyOptions()
    options.model = model
    configure(&options)
    return options
  }

  private var plain: String { folder.path("plain.db") }

  /// Takes the store to plain tables and back; returns what the plain table holds.
  private func roundTrip(_ column: String) throws -> [String] {
    let back = folder.path("Back.sqlite")
    #expect(try Copy(from: path, to: "sqlite:\(plain)", options: options()).run().isVerified)
    let returned = options { $0.template = path }
    #expect(try Copy(from: plain, to: "coredata:\(back)", options: returned).run().isVerified)
    let rows = try [path, back].map { try StoredRows.of($0, "ZTHING", without: ["Z_OPT"]) }
    #expect(rows[0] == rows[1])
    return try Program.sqlite3(
      plain,
      "SELECT CASE typeof(\(column)) WHEN 'blob' THEN 'x' || hex(\(column)) "
        + "ELSE typeof(\(column)) || ' ' || quote(\(column)) END FROM Thing ORDER BY id"
    ).split(separator: "\n").map(String.init)
  }

  @Test func `dates are texts wherever a text tells them exactly`() throws {
    try insert(
      [
        "0", "-1", "599616000.25", "-0.25", "717870059.999", "63113904000",
        // The first second that no text of a date can tell, and one long before.
        "252423993600", "-63145526401", "9e18", "1e300", "9e999",
        // More digits than nine, and a number that nine digits lose.
        "0.1234567890123", "1e-12", "100000000.00000001",
        "'tomorrow'", "''", "x'00ff'", "NULL",
      ].map { ("ZDAY", $0) }
    )
    let stored = try roundTrip("day")
    #expect(
      stored == [
        "text '2001-01-01T00:00:00Z'", "text '2000-12-31T23:59:59Z'",
        "text '2020-01-02T00:00:00.25Z'", "text '2000-12-31T23:59:59.75Z'",
        "text '2023-10-01T16:20:59.999Z'", "text '4001-01-01T00:00:00Z'",
        "integer 252423993600", "integer -63145526401", "integer 9000000000000000000",
        "real 1.0e+300", "real Inf", "real 0.1234567890123", "real 1.0e-12",
        "text '2004-03-03T09:46:40.00000001Z'", "text 'tomorrow'", "text ''", "x00FF",
        "null NULL",
      ]
    )
  }

  @Test func `decimals are texts with as many digits as they have`() throws {
    try insert(
      [
        "3", "-7", "0.1", "2.50", "9007199254740993", "-9223372036854775808", "1e300", "-1e-7",
        "12345678901234567890123456789012345678", "0.1234567890123456789", "9e999", "'n/a'",
        "'0x10'", "''", "x'31'", "NULL",
      ].map { ("ZPRICE", $0) }
    )
    let stored = try roundTrip("price")
    #expect(
      Array(stored.prefix(6)) == [
        "text '3'", "text '-7'", "text '0.1'", "text '2.5'", "text '9007199254740993'",
        "text '-9223372036854775808'",
      ]
    )
    #expect(stored.suffix(5) == ["text 'n/a'", "text '0x10'", "text ''", "x31", "null NULL"])
    #expect(stored.allSatisfy { !$0.hasPrefix("real") && !$0.hasPrefix("integer") })
  }

  @Test func `UUIDs are texts, and other bytes stay bytes`() throws {
    try insert(
      [
        "x'00112233445566778899aabbccddeeff'", "x''", "x'00'",
        "x'00112233445566778899aabbccddeeff00'", "'no UUID'", "NULL",
      ].map { ("ZMARK", $0) }
    )
    #expect(
      try roundTrip("mark") == [
        "text '00112233-4455-6677-8899-AABBCCDDEEFF'", "x", "x00",
        "x00112233445566778899AABBCCDDEEFF00", "text 'no UUID'", "null NULL",
      ]
    )
  }

  @Test(arguments: [
    ("flag", ["0", "1", "7", "'yes'", "2.5", "x'01'", "NULL"]),
    ("small", ["-32768", "99999", "'many'", "1.5", "x''", "NULL"]),
    ("large", ["9223372036854775807", "-9223372036854775808", "1e19", "NULL"]),
    ("number", ["0.1", "-1e-310", "1e308", "3", "9e999", "-9e999", "'n/a'", "x'00'", "NULL"]),
    ("single", ["CAST(4.099999904632568 AS REAL)", "16777217", "NULL"]),
    (
      "name",
      [
        "''", "'a' || char(0) || 'b'", "CAST(x'fffe41' AS TEXT)", "'Ähre'", "12", "1.0", "x'41'",
        "'2026-01-31T08:15:00Z'", "NULL",
      ]
    ),
    ("link", ["'https://example.org/?q=a b'", "''", "NULL"]),
    ("bytes", ["x''", "x'00'", "x'01ff'", "zeroblob(5000)", "'text'", "5", "NULL"]),
    ("shape", ["x''", "x'62706c697374'", "NULL"]),
    ("picture", ["x'01'", "x'01ff'", "x'0101'", "'text'", "7", "NULL"]),
  ])
  func `whatever a column holds comes back`(_ attribute: String, _ values: [String]) throws {
    try insert(values.map { ("Z" + attribute.uppercased(), $0) })
    #expect(try roundTrip(attribute).count == values.count)
  }

  @Test func `bytes lie in a plain table without what marks them`() throws {
    try insert([("ZPICTURE", "x'01ffd8'"), ("ZPICTURE", "x'01'"), ("ZPICTURE", "NULL")])
    #expect(try roundTrip("picture") == ["xFFD8", "x", "null NULL"])
  }

  @Test(arguments: [
    ("day", "'2026-01-31'", "day is text that would be read as a date"),
    ("mark", "'00112233-4455-6677-8899-AABBCCDDEEFF'", "mark is text that would be read as the"),
    ("mark", "5", "mark is a number, which a text column would convert to text"),
    ("picture", "x'05ff'", "its first byte does not say where the data is stored"),
    ("picture", "x''", "its first byte does not say where the data is stored"),
  ])
  func `what would not come back is refused by name, or left out`(
    _ attribute: String,
    _ value: String,
    _ message: String
  ) throws {
    let column = "Z" + attribute.uppercased()
    try insert([(column, "NULL"), (column, value), (column, "NULL")])
    let error = #expect(throws: DecantError.self) {
      try Copy(from: path, to: "sqlite:\(plain)", options: options()).run()
    }
    #expect(error?.message.contains("cannot write Thing p2: \(message)") == true)
    #expect(!FileManager.default.fileExists(atPath: plain))
    let rejecting = options { $0.onError = .reject }
    let report = try Copy(from: path, to: "sqlite:\(plain)", options: rejecting).run()
    #expect(report.isVerified)
    #expect(report.rejectedCount == 1)
    #expect(try Program.sqlite3(plain, "SELECT group_concat(id) FROM Thing") == "1,3")
  }

  @Test func `what people write in a plain table is read as they mean it`() throws {
    try insert([("ZNAME", "'one'")])
    #expect(try Copy(from: path, to: "sqlite:\(plain)", options: options()).run().isVerified)
    _ = try Program.sqlite3(
      plain,
      """
      INSERT INTO Thing (id, day, mark, price, flag) VALUES
        (2, '2001-01-02 00:00:00', '00112233-4455-6677-8899-aabbccddeeff', ' 1.50 ', 1),
        (3, '2001-01-01T01:00:00+01:00', x'00112233445566778899AABBCCDDEEFF', 3, 0)
      """
    )
    let back = folder.path("Back.sqlite")
    let returned = options { $0.template = path }
    #expect(try Copy(from: plain, to: "coredata:\(back)", options: returned).run().isVerified)
    #expect(
      try Program.sqlite3(
        back,
        "SELECT ZDAY, hex(ZMARK), typeof(ZPRICE), ZPRICE, ZFLAG FROM ZTHING WHERE Z_PK > 1"
      ) == "86400|00112233445566778899AABBCCDDEEFF|real|1.5|1\n"
        + "0|00112233445566778899AABBCCDDEEFF|integer|3|0"
    )
  }
}
