internal import DecantBase
internal import DecantSQLite
internal import DecantSystem

/// The SQL functions of `ValueSpelling`, and its collations.
///
/// - `spelled(value, spelling)` returns the value in the spelling, or as it is if it is not of the type.
/// - `spelled(value, spelling, property)` refuses such a value.
enum SpellingFunctions {
  static func register(on connection: Connection) throws(SQLiteError) {
    for count in [2, 3] {
      let function = Spelled(isStrict: count == 3)
      try connection.register(
        function, as: "spelled", argumentCount: Int32(count), [.deterministic, .innocuous])
    }
    try SpellingOrder.register(on: connection)
  }
}

private final class Spelled: ScalarFunction {
  private let isStrict: Bool
  /// The spellings of the statements so far, with their texts.
  private var known: [(name: [UInt8], spelling: ValueSpelling)] = []

  init(isStrict: Bool) { self.isStrict = isStrict }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) != .null else { return result.setNull() }
    guard let spelling = spelling(arguments) else { return result.pass(arguments, at: 0) }
    if let type = spelling.asked { return call(type, arguments, result) }
    // Large values are not copied.
    let fault = spelling.strictType?.fault(of: arguments)
    let isLimited = spelling.kind == .bpchar || spelling.scale != nil
    if spelling.strictType != nil, fault == nil, !isLimited { return result.pass(arguments, at: 0) }
    let isText = arguments.type(at: 0) == .text
    if isText, arguments.withBytes(at: 0, { OwnSpelling.holds($0, spelling) }) { return result.pass(arguments, at: 0) }
    let isRead = !isText || arguments.withBytes(at: 0) { $0.count <= StrictType.largeText && $0.isValidUTF8 }
    if isRead, let value = spelling.respelled(arguments.value(at: 0)) { return result.give(value) }
    guard isStrict else { return result.pass(arguments, at: 0) }
    // Only a text can be large, and then has too many characters.
    let value = isRead ? arguments.value(at: 0) : .text("")
    let text = "\(arguments.text(at: 2)) \(fault?.1 ?? spelling.fault(of: value))"
    result.fail((fault?.0 ?? .convert).message(text))
  }

  /// Spells a value of a type for which the server is asked.
  private func call(
    _ type: AskedType, _ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult
  ) {
    let isText = arguments.type(at: 0) == .text
    // The proof compares it.
    if isText, arguments.withBytes(at: 0, { $0.count > StrictType.largeText }) { return result.pass(arguments, at: 0) }
    var fault = isText ? StrictType.text.fault(of: arguments) : nil
    do throws(DecantError) {
      if fault == nil, let reading = try type.reading(of: arguments.value(at: 0)) {
        switch reading {
        case .value(let spelling): return result.set(spelling)
        case .fault(let reason): fault = (.convert, reason)
        }
      }
    } catch {
      return result.fail("\(error)")
    }
    guard isStrict else { return result.pass(arguments, at: 0) }
    let (code, reason) = fault ?? (.convert, "is not a value of the type \(type.name)")
    result.fail(code.message("\(arguments.text(at: 2)) \(reason)"))
  }

  /// Returns the spelling that the second argument names.
  private func spelling(_ arguments: borrowing FunctionArguments) -> ValueSpelling? {
    let found = arguments.withBytes(at: 1) { name in known.first { $0.name.elementsEqual(name) } }
    if let found { return found.spelling }
    let name = arguments.text(at: 1)
    guard let spelling = ValueSpelling(name) else { return nil }
    known.append((Array(name.utf8), spelling))
    return spelling
  }
}
