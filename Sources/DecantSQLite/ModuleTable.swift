/// A virtual table whose rows come from Swift; SQL can read but not write it.
///
/// A subclass defines its columns, the conditions that it can use, and its cursors. A scan may return more rows than
/// match: SQLite checks every row again. The rows have no defined order.
open class ModuleTable {
  /// A column of the table.
  public struct Column: Sendable, Hashable {
    /// The name, unquoted.
    package var name: String
    /// The declared type, which determines comparison; empty for none.
    package var type: String
    /// The collation for comparing texts; SQLite must know it.
    package var collation: String

    /// Describes a column.
    package init(_ name: String, type: String = "", collation: String = "BINARY") {
      self.name = name
      self.type = type
      self.collation = collation
    }
  }

  /// The columns, in order.
  package let columns: [Column]
  /// The positions of the primary key columns if rows have no rowids; otherwise empty.
  package let primaryKey: [Int]
  /// The scans of compiled statements; SQLite refers to them by number.
  private var scans: [Scan] = []

  /// Describes a table of `columns`; without a primary key its rows have rowids.
  public init(columns: [Column], primaryKey: [Int] = []) {
    self.columns = columns
    self.primaryKey = primaryKey
  }

  /// Returns whether the table can use `constraint`; SQLite checks the others.
  open func accepts(_ constraint: Constraint) -> Bool { false }

  /// Returns the estimated effort of `scan`; called while a statement is compiled.
  open func effort(of scan: Scan) -> Effort { Effort(cost: 1_000_000, rowCount: 1_000_000) }

  /// Returns a cursor that is not yet positioned.
  open func makeCursor() throws(SQLiteError) -> ModuleCursor { ModuleCursor() }

  /// Returns the scan with the number `number`.
  final func scan(_ number: Int32) -> Scan? {
    scans.indices.contains(Int(number)) ? scans[Int(number)] : nil
  }

  /// Returns the scan with these constraints and columns; equal ones are created once.
  final func scan(_ constraints: [Constraint], columns: UInt64) -> Scan {
    if let scan = scans.first(where: { $0.constraints == constraints && $0.columns == columns }) {
      return scan
    }
    let scan = Scan(Int32(clamping: scans.count), constraints, columns: columns)
    scans.append(scan)
    return scan
  }
}

/// A scan of a table: its constraints and the columns that are read.
public final class Scan: Sendable {
  /// The number of the scan, unique in its table.
  package let number: Int32
  /// The constraints; their values follow in this order when the scan begins.
  package let constraints: [Constraint]
  fileprivate let columns: UInt64

  fileprivate init(_ number: Int32, _ constraints: [Constraint], columns: UInt64) {
    self.number = number
    self.constraints = constraints
    self.columns = columns
  }

  /// Returns whether the scan may read the column at `position`.
  package func reads(_ position: Int) -> Bool {
    // The last bit covers all remaining columns.
    columns & (1 << UInt64(min(position, 63))) != 0
  }
}

/// A comparison of a column with a value that is known when a scan begins.
public struct Constraint: Sendable, Hashable {
  /// The comparison operator in SQL.
  package enum Comparison: String, Sendable {
    /// The column equals the value.
    case equal = "="
    /// The column is less than the value.
    case less = "<"
    /// The column is less than or equal to the value.
    case lessOrEqual = "<="
    /// The column is greater than the value.
    case greater = ">"
    /// The column is greater than or equal to the value.
    case greaterOrEqual = ">="
  }

  /// The column's position; `nil` for the rowid.
  package let column: Int?
  /// The comparison operator.
  package let comparison: Comparison
  /// The collation for comparing texts.
  package let collation: String
  /// Whether the value is one of many, each with a scan of its own, as in `IN`.
  ///
  /// SQLite then compares as with a value without affinity, even if the values come from a column; a table that accepts
  /// the constraint accepts this, too.
  package let isOneOfMany: Bool
}

/// The estimated effort of reading a table.
public struct Effort: Sendable, Hashable {
  /// The cost, where reading a row is about 1.
  package var cost: Double
  /// The number of rows.
  package var rowCount: Int64

  /// Describes an estimate.
  package init(cost: Double, rowCount: Int64) {
    self.cost = cost
    self.rowCount = rowCount
  }
}

/// A cursor over the rows of a table.
open class ModuleCursor {
  /// Creates a cursor without rows unless a subclass provides some.
  public init() {}

  /// Moves to the first row that may match the constraints of `scan`, whose values are `values`.
  ///
  /// May be called repeatedly for a cursor; the values are valid during the call.
  open func begin(_ scan: Scan, _ values: borrowing FunctionArguments) throws(SQLiteError) {}

  /// Whether the cursor is after the last row.
  open var isAtEnd: Bool { true }

  /// Moves to the next row.
  open func advance() throws(SQLiteError) {}

  /// Returns the rowid; called only if rows have one.
  open func rowID() throws(SQLiteError) -> Int64 { 0 }

  /// Sets the value of the column at `position` as `result`.
  open func give(_ position: Int, as result: borrowing FunctionResult) throws(SQLiteError) {
    result.setNull()
  }
}
