public import CDecantSQLite

/// The arguments of one call of a function, lent for the time of the call.
public struct FunctionArguments: ~Copyable {
  @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>
  /// How many there are.
  public let count: Int

  @usableFromInline
  init(_ values: UnsafeMutablePointer<OpaquePointer?>, count: Int32) {
    self.values = values
    self.count = Int(count)
  }

  /// Returns the storage class of the argument at `position`; the first is 0.
  @inlinable
  public func type(at position: Int) -> StorageClass {
    StorageClass(code: sqlite3_value_type(values[position]))
  }

  /// Returns an argument as an integer; NULL is 0.
  @inlinable
  public func integer(at position: Int) -> Int64 { sqlite3_value_int64(values[position]) }

  /// Returns an argument as a double; NULL is 0.
  @inlinable
  public func real(at position: Int) -> Double { sqlite3_value_double(values[position]) }

  /// Returns the mark that another function left on the argument; 0 for none.
  func subtype(at position: Int) -> UInt32 { sqlite3_value_subtype(values[position]) }

  /// Binds an argument as it is to a parameter of another statement.
  func bind(at position: Int, to statement: OpaquePointer, as parameter: Int) {
    sqlite3_bind_value(statement, Int32(clamping: parameter), values[position])
  }

  /// Lends the bytes of an argument to `body`.
  @inlinable
  public func withBytes<Result>(at position: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // In this order: asking for the length turns UTF-16 into UTF-8, and what was lent before is gone.
    let count = Int(sqlite3_value_bytes(values[position]))
    let start = sqlite3_value_blob(values[position])
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Returns an argument as text; NULL is empty.
  public func text(at position: Int) -> String {
    // Not the bytes as they are: a database may keep its text as UTF-16.
    guard let start = sqlite3_value_text(values[position]) else { return "" }
    let count = Int(sqlite3_value_bytes(values[position]))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

extension FunctionArguments {
  /// Returns an argument as a value to bind to a statement.
  public func value(at position: Int) -> Binding {
    switch type(at: position) {
    case .null: .null
    case .integer: .integer(integer(at: position))
    case .real: .real(real(at: position))
    case .text: .text(text(at: position))
    case .blob: .blob(withBytes(at: position) { Array($0) })
    }
  }
}

/// Where a function puts its result.
public struct FunctionResult: ~Copyable {
  @usableFromInline let context: OpaquePointer

  @usableFromInline
  init(_ context: OpaquePointer) { self.context = context }

  /// Gives `integer` as the result.
  @inlinable public func set(_ integer: Int64) { sqlite3_result_int64(context, integer) }
  /// Gives `real` as the result; what is not a number becomes NULL.
  @inlinable public func set(_ real: Double) { sqlite3_result_double(context, real) }
  /// Gives NULL as the result, as a function that sets none does.
  @inlinable public func setNull() { sqlite3_result_null(context) }
  /// Fails the statement, as SQLite does where memory is short.
  @inlinable public func setOutOfMemory() { sqlite3_result_error_nomem(context) }

  /// The state of the group of rows that an aggregate is called for, zeroed before its first row.
  ///
  /// - Parameter state: The state's type, of which all bits zero are a value.
  /// - Returns: Memory that SQLite frees after `finish`; `nil` where it has none.
  public func accumulator<State: BitwiseCopyable>(_ state: State.Type) -> UnsafeMutablePointer<State>? {
    sqlite3_aggregate_context(context, Int32(MemoryLayout<State>.size))?
      .assumingMemoryBound(to: state)
  }

  /// Gives `bytes` as the result; SQLite copies them.
  public func set(_ bytes: UnsafeRawBufferPointer) {
    sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), decant_sqlite_transient())
  }

  /// Gives `text` as the result.
  public func set(_ text: String) {
    sqlite3_result_text(context, text, -1, decant_sqlite_transient())
  }

  /// Gives the text that `bytes` hold in UTF-8.
  public func setText(utf8 bytes: UnsafeRawBufferPointer) { setText(bytes, SQLITE_UTF8) }

  /// Gives the text that `bytes` hold in UTF-16, in this machine's byte order or as a mark in front says.
  public func setText(utf16 bytes: UnsafeRawBufferPointer) { setText(bytes, SQLITE_UTF16) }

  private func setText(_ bytes: UnsafeRawBufferPointer, _ encoding: Int32) {
    // A text without address would be NULL.
    let start = bytes.baseAddress ?? UnsafeRawPointer(context)
    sqlite3_result_text64(
      context,
      start.assumingMemoryBound(to: CChar.self),
      UInt64(bytes.count),
      decant_sqlite_transient(),
      UInt8(encoding)
    )
  }

  /// Gives `value`, of another statement, as the result, with its mark.
  func pass(_ value: OpaquePointer?) {
    sqlite3_result_value(context, value)
    sqlite3_result_subtype(context, sqlite3_value_subtype(value))
  }

  /// Gives the argument at `position` back as it came.
  @inlinable
  public func pass(_ arguments: borrowing FunctionArguments, at position: Int) {
    sqlite3_result_value(context, arguments.values[position])
  }

  /// Ends the statement with an error that says `message`.
  public func fail(_ message: String) { sqlite3_result_error(context, message, -1) }

  /// Ends the statement with what stopped a statement that the function ran itself.
  ///
  /// The code goes along: a full disk stays one, and is not taken for a value at fault.
  public func fail(_ error: SQLiteError) {
    fail(error.message)
    sqlite3_result_error_code(context, error.code)
  }

  /// Returns what `setNote` left beside the argument at `position`, while that argument is constant.
  @inlinable
  public func note(at position: Int32) -> UnsafeMutableRawPointer? {
    sqlite3_get_auxdata(context, position)
  }

  /// Leaves a pointer beside a constant argument; the caller keeps what it points at alive.
  @inlinable
  public func setNote(_ note: UnsafeMutableRawPointer, at position: Int32) {
    sqlite3_set_auxdata(context, position, note, nil)
  }
}

/// A function that SQL can call: one value from the arguments.
open class ScalarFunction {
  /// Makes a function that gives NULL, until a subclass computes something.
  public init() {}

  /// Computes the result of one call.
  open func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.setNull()
  }
}

/// A function that SQL can call over many rows: one value from all of them.
///
/// One statement may call it for several groups in turn. Where it may be called for several at once, a group's state
/// belongs into `FunctionResult.accumulator`.
open class AggregateFunction {
  /// Makes an aggregate of no value, until a subclass computes one.
  public init() {}

  /// Takes one row in.
  open func step(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {}

  /// Gives the value of all rows since the last time, and starts again.
  open func finish(_ result: borrowing FunctionResult) { result.setNull() }
}

extension Connection {
  /// What SQLite may assume of a function.
  public struct FunctionTraits: OptionSet, Sendable {
    /// SQLite's `SQLITE_…` flags of `sqlite3_create_function_v2`, without an encoding.
    public let rawValue: Int32
    /// Takes SQLite's flags as they are.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The same arguments give the same result within a statement.
    public static let deterministic = FunctionTraits(rawValue: SQLITE_DETERMINISTIC)
    /// Statements may call it; triggers, views and indexes of the file may not.
    public static let directOnly = FunctionTraits(rawValue: SQLITE_DIRECTONLY)
    /// Harmless whoever calls it, so that an untrusted schema may.
    public static let innocuous = FunctionTraits(rawValue: SQLITE_INNOCUOUS)
  }

  /// Registers `function` under `name` for any number of arguments, or for `argumentCount`.
  ///
  /// In place of one that has the name already, whatever statements are open: SQLite itself would
  /// refuse that, and a search index may keep one open of which nobody knows.
  public func register(
    _ function: ScalarFunction,
    as name: String,
    argumentCount: Int32 = -1,
    _ traits: FunctionTraits
  ) throws(SQLiteError) {
    let key = "\(name) \(argumentCount) \(traits.rawValue)"
    if let slot = slots[key] as? FunctionSlot<ScalarFunction> { return slot.function = function }
    let slot = FunctionSlot(function)
    slots[key] = slot
    try check(
      sqlite3_create_function_v2(
        handle,
        name,
        argumentCount,
        SQLITE_UTF8 | traits.rawValue,
        Unmanaged.passUnretained(slot).toOpaque(),
        { context, count, values in
          guard let context, let slot = sqlite3_user_data(context) else { return }
          // A function without arguments is handed no array; it must not look into one.
          guard let values = values ?? noValues.pointer else { return }
          Unmanaged<FunctionSlot<ScalarFunction>>.fromOpaque(slot)._withUnsafeGuaranteedRef {
            $0.lent._withUnsafeGuaranteedRef {
              $0.call(FunctionArguments(values, count: count), FunctionResult(context))
            }
          }
        },
        nil,
        nil,
        nil
      )
    )
  }

  /// Registers `function` under `name` as an aggregate; one statement at a time may use it.
  public func register(_ function: AggregateFunction, as name: String, _ traits: FunctionTraits) throws(SQLiteError) {
    let key = "\(name) aggregate \(traits.rawValue)"
    if let slot = slots[key] as? FunctionSlot<AggregateFunction> {
      return slot.function = function
    }
    let slot = FunctionSlot(function)
    slots[key] = slot
    try check(
      sqlite3_create_function_v2(
        handle,
        name,
        -1,
        SQLITE_UTF8 | traits.rawValue,
        Unmanaged.passUnretained(slot).toOpaque(),
        nil,
        { context, count, values in
          guard let context, let values, let slot = sqlite3_user_data(context) else { return }
          Unmanaged<FunctionSlot<AggregateFunction>>.fromOpaque(slot)._withUnsafeGuaranteedRef {
            $0.lent._withUnsafeGuaranteedRef {
              $0.step(FunctionArguments(values, count: count), FunctionResult(context))
            }
          }
        },
        { context in
          guard let context, let slot = sqlite3_user_data(context) else { return }
          Unmanaged<FunctionSlot<AggregateFunction>>.fromOpaque(slot)._withUnsafeGuaranteedRef {
            $0.function.finish(FunctionResult(context))
          }
        },
        nil
      )
    )
  }
}

/// The place behind a function's name, as long as the connection lives.
final class FunctionSlot<Function: AnyObject> {
  var function: Function {
    didSet { lent = .passUnretained(function) }
  }
  /// The same, for a call: a function is called for every row, and is not replaced meanwhile.
  private(set) var lent: Unmanaged<Function>

  init(_ function: Function) {
    self.function = function
    lent = .passUnretained(function)
  }
}

/// What stands in for the argument array of a call without arguments.
///
/// Unchecked, and safe to share all the same: allocated once, empty, never written.
struct NoValues: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<OpaquePointer?>? = .allocate(capacity: 1)
}

let noValues = NoValues()
