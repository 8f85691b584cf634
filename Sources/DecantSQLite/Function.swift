public import CDecantSQLite

/// The arguments of one call of a function, valid during the call.
public struct FunctionArguments: ~Copyable {
  @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>
  /// The number of arguments.
  package let count: Int

  @usableFromInline
  init(_ values: UnsafeMutablePointer<OpaquePointer?>, count: Int32) {
    self.values = values
    self.count = Int(count)
  }

  /// Returns the storage class of the argument at `position`; the first is 0.
  @inlinable
  package func type(at position: Int) -> StorageClass {
    StorageClass(code: sqlite3_value_type(values[position]))
  }

  /// Returns an argument as an integer; NULL is 0.
  @inlinable
  package func integer(at position: Int) -> Int64 { sqlite3_value_int64(values[position]) }

  /// Returns an argument as a double; NULL is 0.
  @inlinable
  package func real(at position: Int) -> Double { sqlite3_value_double(values[position]) }

  /// Returns the subtype that another function set on the argument; 0 for none.
  func subtype(at position: Int) -> UInt32 { sqlite3_value_subtype(values[position]) }

  /// Binds an argument unchanged to a parameter of another statement.
  func bind(at position: Int, to statement: OpaquePointer, as parameter: Int) {
    sqlite3_bind_value(statement, Int32(clamping: parameter), values[position])
  }

  /// Calls `body` with the bytes of an argument.
  @inlinable
  package func withBytes<Result>(at position: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // In this order: reading the length may convert UTF-16 to UTF-8, which invalidates earlier pointers.
    let count = Int(sqlite3_value_bytes(values[position]))
    let start = sqlite3_value_blob(values[position])
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Returns an argument as text; NULL is empty.
  package func text(at position: Int) -> String {
    // Not the raw bytes: the database may store text as UTF-16.
    guard let start = sqlite3_value_text(values[position]) else { return "" }
    let count = Int(sqlite3_value_bytes(values[position]))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

extension FunctionArguments {
  /// Returns an argument as a value to bind to a statement.
  package func value(at position: Int) -> Binding {
    switch type(at: position) {
    case .null: .null
    case .integer: .integer(integer(at: position))
    case .real: .real(real(at: position))
    case .text: .text(text(at: position))
    case .blob: .blob(withBytes(at: position) { Array($0) })
    }
  }
}

/// The result of one call of a function.
public struct FunctionResult: ~Copyable {
  @usableFromInline let context: OpaquePointer

  @usableFromInline
  init(_ context: OpaquePointer) { self.context = context }

  /// Sets `integer` as the result.
  @inlinable package func set(_ integer: Int64) { sqlite3_result_int64(context, integer) }
  /// Sets `real` as the result; NaN becomes NULL.
  @inlinable package func set(_ real: Double) { sqlite3_result_double(context, real) }
  /// Sets NULL as the result, which is also the default.
  @inlinable package func setNull() { sqlite3_result_null(context) }
  /// Fails the statement with SQLite's out-of-memory error.
  @inlinable package func setOutOfMemory() { sqlite3_result_error_nomem(context) }

  /// Returns the state of the current group of an aggregate, zeroed before its first row.
  ///
  /// - Parameter state: The type of the state; all bits zero must be a valid value.
  /// - Returns: Memory that SQLite frees after `finish`; `nil` if out of memory.
  package func accumulator<State: BitwiseCopyable>(_ state: State.Type) -> UnsafeMutablePointer<State>? {
    sqlite3_aggregate_context(context, Int32(MemoryLayout<State>.size))?
      .assumingMemoryBound(to: state)
  }

  /// Sets `bytes` as the result; SQLite copies them.
  package func set(_ bytes: UnsafeRawBufferPointer) {
    sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), decant_sqlite_transient())
  }

  /// Sets `text` as the result.
  package func set(_ text: String) {
    sqlite3_result_text(context, text, -1, decant_sqlite_transient())
  }

  /// Sets the UTF-8 text in `bytes` as the result.
  package func setText(utf8 bytes: UnsafeRawBufferPointer) { setText(bytes, SQLITE_UTF8) }

  /// Sets the UTF-16 text in `bytes` as the result, in native byte order or that of its byte order mark.
  package func setText(utf16 bytes: UnsafeRawBufferPointer) { setText(bytes, SQLITE_UTF16) }

  private func setText(_ bytes: UnsafeRawBufferPointer, _ encoding: Int32) {
    // A text with a null address would be NULL.
    let start = bytes.baseAddress ?? UnsafeRawPointer(context)
    sqlite3_result_text64(
      context,
      start.assumingMemoryBound(to: CChar.self),
      UInt64(bytes.count),
      decant_sqlite_transient(),
      UInt8(encoding)
    )
  }

  /// Sets `value`, of another statement, as the result, with its subtype.
  func pass(_ value: OpaquePointer?) {
    sqlite3_result_value(context, value)
    sqlite3_result_subtype(context, sqlite3_value_subtype(value))
  }

  /// Sets the argument at `position` as the result, unchanged.
  @inlinable
  package func pass(_ arguments: borrowing FunctionArguments, at position: Int) {
    sqlite3_result_value(context, arguments.values[position])
  }

  /// Fails the statement with the error `message`.
  package func fail(_ message: String) { sqlite3_result_error(context, message, -1) }

  /// Fails the statement with the error of a statement that the function ran itself.
  ///
  /// The code is kept, so that a full disk is not mistaken for an invalid value.
  package func fail(_ error: SQLiteError) {
    fail(error.message)
    sqlite3_result_error_code(context, error.code)
  }

  /// Returns the pointer that `setNote` stored for the argument at `position`, while that argument is constant.
  @inlinable
  package func note(at position: Int32) -> UnsafeMutableRawPointer? {
    sqlite3_get_auxdata(context, position)
  }

  /// Stores a pointer for a constant argument; the caller keeps its target alive.
  @inlinable
  package func setNote(_ note: UnsafeMutableRawPointer, at position: Int32) {
    sqlite3_set_auxdata(context, position, note, nil)
  }
}

/// A scalar SQL function: one value from its arguments.
open class ScalarFunction {
  /// Creates a function that returns NULL unless a subclass overrides `call`.
  public init() {}

  /// Computes the result of one call.
  open func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.setNull()
  }
}

/// An aggregate SQL function: one value from many rows.
///
/// One statement may call it for several groups in turn. If it may be called for several groups at once, store the
/// state of a group in `FunctionResult.accumulator`.
open class AggregateFunction {
  /// Creates an aggregate that returns NULL unless a subclass overrides `finish`.
  public init() {}

  /// Adds one row.
  open func step(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {}

  /// Sets the value of all rows since the last call as the result, and starts again.
  open func finish(_ result: borrowing FunctionResult) { result.setNull() }
}

extension Connection {
  /// The properties of a function that SQLite may rely on.
  package struct FunctionTraits: OptionSet, Sendable {
    /// SQLite's `SQLITE_…` flags of `sqlite3_create_function_v2`, without an encoding.
    package let rawValue: Int32
    /// Creates traits from SQLite's flags.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The same arguments give the same result within a statement.
    package static let deterministic = FunctionTraits(rawValue: SQLITE_DETERMINISTIC)
    /// Only statements may call it; triggers, views and indexes of the file may not.
    package static let directOnly = FunctionTraits(rawValue: SQLITE_DIRECTONLY)
    /// The function is harmless, so an untrusted schema may call it.
    package static let innocuous = FunctionTraits(rawValue: SQLITE_INNOCUOUS)
  }

  /// Registers `function` under `name` for any number of arguments, or for `argumentCount`.
  ///
  /// Replaces a function of the same name even while statements are open: SQLite itself would refuse that, and a search
  /// index may keep a hidden statement open.
  package func register(
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
          // A function without arguments gets no array, and must not read one.
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

  /// Registers `function` under `name` as an aggregate; only one statement at a time may use it.
  package func register(_ function: AggregateFunction, as name: String, _ traits: FunctionTraits) throws(SQLiteError) {
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

/// The holder of a function, which lives as long as the connection.
final class FunctionSlot<Function: AnyObject> {
  var function: Function {
    didSet { lent = .passUnretained(function) }
  }
  /// The function without reference counting: it is called for every row, and is not replaced during a call.
  private(set) var lent: Unmanaged<Function>

  init(_ function: Function) {
    self.function = function
    lent = .passUnretained(function)
  }
}

/// A substitute for the argument array of a call without arguments.
///
/// Unchecked, but safe to share: allocated once, empty, never written.
struct NoValues: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<OpaquePointer?>? = .allocate(capacity: 1)
}

let noValues = NoValues()
