/// A table whose rows come from Swift: SQL reads it like any other, and never writes to it.
///
/// A subclass says what its columns are, which conditions it can narrow its rows by, and makes cursors.
/// What a condition narrows may be more than meets it: SQLite looks at every row again. The rows come in
/// no order that SQLite may rely on.
open class ModuleTable {
  /// A column as SQL sees it.
  public struct Column: Sendable, Hashable {
    /// The name, unquoted.
    public var name: String
    /// The declared type, by which SQLite compares; empty for none.
    public var type: String
    /// The collation by which texts are compared; one that SQLite knows.
    public var collation: String

    /// Describes a column.
    public init(_ name: String, type: String = "", collation: String = "BINARY") {
      self.name = name
      self.type = type
      self.collation = collation
    }
  }

  /// The columns, in their order.
  public let columns: [Column]
  /// The positions of the columns that tell rows from one another where rows have no numbers; empty
  /// where they have.
  public let primaryKey: [Int]
  /// The scans that statements were compiled with; SQLite remembers them by number.
  private var scans: [Scan] = []

  /// Describes a table of `columns`; without a primary key its rows have numbers.
  public init(columns: [Column], primaryKey: [Int] = []) {
    self.columns = columns
    self.primaryKey = primaryKey
  }

  /// Returns whether rows can be narrowed by `constraint`; what cannot is left to SQLite.
  open func accepts(_ constraint: Constraint) -> Bool { false }

  /// Returns what reading `scan` will take; called while a statement is compiled.
  open func effort(of scan: Scan) -> Effort { Effort(cost: 1_000_000, rowCount: 1_000_000) }

  /// Returns a cursor, before the first row of nothing yet.
  open func makeCursor() throws(SQLiteError) -> ModuleCursor { ModuleCursor() }

  /// Returns the scan that SQLite remembers as `number`.
  final func scan(_ number: Int32) -> Scan? {
    scans.indices.contains(Int(number)) ? scans[Int(number)] : nil
  }

  /// Returns the scan with these constraints and columns: the same one whenever it is wanted again.
  final func scan(_ constraints: [Constraint], columns: UInt64) -> Scan {
    if let scan = scans.first(where: { $0.constraints == constraints && $0.columns == columns }) {
      return scan
    }
    let scan = Scan(Int32(clamping: scans.count), constraints, columns: columns)
    scans.append(scan)
    return scan
  }
}

/// A way through the rows of a table: the conditions they are narrowed by, and what is read of them.
public final class Scan: Sendable {
  /// Tells the scans of one table from each other.
  public let number: Int32
  /// The conditions; their values come when the scan begins, in this order.
  public let constraints: [Constraint]
  fileprivate let columns: UInt64

  fileprivate init(_ number: Int32, _ constraints: [Constraint], columns: UInt64) {
    self.number = number
    self.constraints = constraints
    self.columns = columns
  }

  /// Returns whether the column at `position` may be asked for.
  public func reads(_ position: Int) -> Bool {
    // The last bit stands for all columns from there on.
    columns & (1 << UInt64(min(position, 63))) != 0
  }
}

/// A comparison of a column with a value that is known when a scan begins.
public struct Constraint: Sendable, Hashable {
  /// How the two are compared, spelled as in SQL.
  public enum Comparison: String, Sendable {
    /// The column equals the value.
    case equal = "="
    /// The column is less than the value.
    case less = "<"
    /// The column is less than the value, or equal.
    case lessOrEqual = "<="
    /// The column is greater than the value.
    case greater = ">"
    /// The column is greater than the value, or equal.
    case greaterOrEqual = ">="
  }

  /// The column's position; `nil` for the row's number.
  public let column: Int?
  /// How it is compared.
  public let comparison: Comparison
  /// The collation by which texts are compared.
  public let collation: String
  /// Whether the value is one of many, each with a scan of its own, as `IN` has them.
  ///
  /// SQLite then compares as with a value of no column, also where the values are a column's: a table
  /// that takes the constraint takes that as well.
  public let isOneOfMany: Bool
}

/// What reading a table takes, as far as that can be told beforehand.
public struct Effort: Sendable, Hashable {
  /// How much work it is, where looking at a row is about 1.
  public var cost: Double
  /// How many rows there will be.
  public var rowCount: Int64

  /// Estimates a scan.
  public init(cost: Double, rowCount: Int64) {
    self.cost = cost
    self.rowCount = rowCount
  }
}

/// A place among the rows of a table.
open class ModuleCursor {
  /// Makes a cursor in no rows, until a subclass has some.
  public init() {}

  /// Goes to the first row that may meet the constraints of `scan`, whose values are `values`.
  ///
  /// Called once or more often for a cursor; the values are lent for the time of the call.
  open func begin(_ scan: Scan, _ values: borrowing FunctionArguments) throws(SQLiteError) {}

  /// Whether there is no row at the cursor any more.
  open var isAtEnd: Bool { true }

  /// Goes to the next row.
  open func advance() throws(SQLiteError) {}

  /// Returns the number of the row; asked only where rows have numbers.
  open func rowID() throws(SQLiteError) -> Int64 { 0 }

  /// Gives the value of the column at `position` as `result`.
  open func give(_ position: Int, as result: borrowing FunctionResult) throws(SQLiteError) {
    result.setNull()
  }
}
