internal import DecantBase
internal import DecantSQLite

/// The SQL function `id(entity, key)`: the key in the destination of an object of the source.
///
/// NULL for an object that is not copied. A third argument names the relationship of the link, which is then counted as
/// copied, cut or dangling. Its constant arguments are looked up once per statement.
///
/// As `link(entity, key)` it passes on a value that is not an object's key if it cannot lead to another object.
final class IDFunction: ScalarFunction {
  private let table: IDTable
  private let keepsUnresolvedKeys: Bool

  init(_ table: IDTable, keepsUnresolvedKeys: Bool = false) {
    self.table = table
    self.keepsUnresolvedKeys = keepsUnresolvedKeys
  }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    if arguments.count == 2, arguments.type(at: 1) == .null { return result.setNull() }
    // The stored pointer is not retained: the table owns it, and this runs for every row.
    if arguments.count == 3 {
      if let note = result.note(at: 2) {
        return Unmanaged<LinkSite>.fromOpaque(note)._withUnsafeGuaranteedRef {
          link(arguments, $0, result)
        }
      }
      guard let site = table.site(of: arguments.text(at: 2), to: arguments.text(at: 0)) else {
        return failUnknown(arguments, result)
      }
      result.setNote(Unmanaged.passUnretained(site).toOpaque(), at: 2)
      link(arguments, site, result)
    } else {
      if let note = result.note(at: 0) {
        return Unmanaged<IDMap>.fromOpaque(note)._withUnsafeGuaranteedRef {
          key(arguments, $0, result)
        }
      }
      guard let map = table.map(of: arguments.text(at: 0)) else {
        return failUnknown(arguments, result)
      }
      result.setNote(Unmanaged.passUnretained(map).toOpaque(), at: 0)
      key(arguments, map, result)
    }
  }

  private func failUnknown(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.fail("id(): no entity \(arguments.text(at: 0))")
  }

  private func key(_ arguments: borrowing FunctionArguments, _ map: IDMap, _ result: borrowing FunctionResult) {
    do throws(SQLiteError) {
      guard arguments.type(at: 1) == .integer,
        let key = try map.destination(of: arguments.integer(at: 1))
      else { return try settle(unresolved: arguments, map, result) }
      result.set(key)
    } catch {
      result.fail(error)
    }
  }

  private func link(_ arguments: borrowing FunctionArguments, _ site: LinkSite, _ result: borrowing FunctionResult) {
    if !site.countsNull, arguments.type(at: 1) == .null { return result.setNull() }
    do throws(SQLiteError) {
      // A non-integer key belongs to no object.
      let key = arguments.integer(at: 1)
      guard arguments.type(at: 1) == .integer, try site.map.existing.contains(key) else {
        site.counts.dangling += 1
        if site.refusesMissing { return result.fail(site.refusal) }
        return try settle(unresolved: arguments, site.map, result)
      }
      guard let target = try site.map.destination(of: key) else {
        site.counts.cut += 1
        if site.refusesMissing { return result.fail(site.refusal) }
        if let first = site.firstRefusedKey, key >= first { return result.fail(site.emptyRefusal) }
        return result.setNull()
      }
      site.counts.copied += 1
      result.set(target)
    } catch {
      result.fail(error)
    }
  }

  /// Passes on a value that is not an object's key, or makes it null.
  private func settle(
    unresolved arguments: borrowing FunctionArguments,
    _ map: IDMap,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard keepsUnresolvedKeys else { return result.setNull() }
    if arguments.type(at: 1) == .integer {
      let key = arguments.integer(at: 1)
      guard try !map.existing.contains(key) else { return result.setNull() }
      if case .below(let limit) = map.unresolvedKeys, key >= limit { return result.setNull() }
    }
    result.pass(arguments, at: 1)
  }
}
