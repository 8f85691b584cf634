internal import SQLite

/// The SQL function `id(entity, key)`: the key in the destination of an object of the source.
///
/// NULL for an object that is not copied. With a third argument, the name of the relationship that
/// leads there, the link is counted under that name as copied, cut or dangling. Its constant
/// arguments are looked up once per statement.
///
/// As `link(entity, key)` it lets a value that is no object's key pass, where it can lead to no other
/// object either.
final class IDFunction: ScalarFunction {
  private let table: IDTable
  private let keepsStrangers: Bool

  init(_ table: IDTable, keepsStrangers: Bool = false) {
    self.table = table
    self.keepsStrangers = keepsStrangers
  }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    if arguments.count == 2, arguments.type(at: 1) == .null { return result.setNull() }
    do throws(SQLiteError) {
      if arguments.count == 3 {
        try link(arguments, result)
      } else {
        try key(arguments, result)
      }
    } catch {
      result.fail(error.message)
    }
  }

  private func key(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    let map: IDMap
    if let note = result.note(at: 0) {
      map = Unmanaged<IDMap>.fromOpaque(note).takeUnretainedValue()
    } else {
      guard let found = table.map(of: arguments.text(at: 0)) else {
        return result.fail("id(): no entity \(arguments.text(at: 0))")
      }
      map = found
      result.setNote(Unmanaged.passUnretained(found).toOpaque(), at: 0)
    }
    guard arguments.type(at: 1) == .integer,
      let key = try map.destination(of: arguments.integer(at: 1))
    else { return try settle(stranger: arguments, map, result) }
    result.set(key)
  }

  /// Lets a value pass that is no object's key, or makes it null.
  private func settle(
    stranger arguments: borrowing FunctionArguments,
    _ map: IDMap,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard keepsStrangers else { return result.setNull() }
    if arguments.type(at: 1) == .integer {
      let key = arguments.integer(at: 1)
      guard try !map.existing.contains(key) else { return result.setNull() }
      if case .below(let limit) = map.strangers, key >= limit { return result.setNull() }
    }
    result.pass(arguments, at: 1)
  }

  private func link(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    let site: LinkSite
    if let note = result.note(at: 2) {
      site = Unmanaged<LinkSite>.fromOpaque(note).takeUnretainedValue()
    } else {
      let root = arguments.text(at: 0)
      guard let found = table.site(of: arguments.text(at: 2), to: root) else {
        return result.fail("id(): no entity \(root)")
      }
      site = found
      result.setNote(Unmanaged.passUnretained(found).toOpaque(), at: 2)
    }
    if !site.countsNull, arguments.type(at: 1) == .null { return result.setNull() }
    // A key that is no integer cannot be any object's.
    let key = arguments.integer(at: 1)
    guard arguments.type(at: 1) == .integer, try site.map.existing.contains(key) else {
      site.counts.dangling += 1
      return try settle(stranger: arguments, site.map, result)
    }
    guard let target = try site.map.destination(of: key) else {
      site.counts.cut += 1
      return result.setNull()
    }
    site.counts.copied += 1
    result.set(target)
  }
}
