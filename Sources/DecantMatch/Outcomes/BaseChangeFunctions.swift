internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The SQL function `keeps(entity, key, property)`: whether an object of the source that is merged by property keeps
/// the destination's value; `keeps_there` takes the object's key in the destination.
final class KeepsFunction: ScalarFunction {
  private let ids: IDTable
  private let side: MatchSide

  init(_ ids: IDTable, _ side: MatchSide) { (self.ids, self.side) = (ids, side) }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let root = arguments.text(at: 0)
    guard let taken = ids.baseChanges?.taken[root] else { return result.set(Int64(0)) }
    do throws(SQLiteError) {
      var key = arguments.integer(at: 1)
      if side == .destination {
        guard let own = try ids.map(of: root)?.matchedObjects?.source(of: key) else {
          return result.set(Int64(0))
        }
        key = own
      }
      guard try taken.contains(key) else { return result.set(Int64(0)) }
      let isTaken = try taken.contains(key, named: arguments.text(at: 2))
      result.set(isTaken ? Int64(0) : 1)
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `decided(entity, key, property, value)`: the decided value for a property of an object of the
/// source, otherwise `value`.
final class DecidedFunction: ScalarFunction {
  private let ids: IDTable

  init(_ ids: IDTable) { self.ids = ids }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let decided = ids.baseChanges?.decided else { return result.pass(arguments, at: 3) }
    do throws(SQLiteError) {
      let value = try decided(arguments.integer(at: 1), arguments.text(at: 0), arguments.text(at: 2))
      switch value {
      case nil: result.pass(arguments, at: 3)
      case .integer(let integer): result.set(integer)
      case .real(let real): result.set(real)
      case .text(let text): Array(text.utf8).withUnsafeBytes { result.setText(utf8: $0) }
      case .utf8(let bytes): bytes.withUnsafeBytes { result.setText(utf8: $0) }
      case .blob(let bytes): bytes.withUnsafeBytes { result.set($0) }
      case .null: result.setNull()
      }
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `removed_link(relationship, owner, target)`: whether the destination removed a link that the source
/// left unchanged.
final class RemovedLinkFunction: ScalarFunction {
  private let ids: IDTable

  init(_ ids: IDTable) { self.ids = ids }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let links = ids.baseChanges?.removedLinks else { return result.set(Int64(0)) }
    do throws(SQLiteError) {
      let isRemoved = try links.contains(arguments.text(at: 0), arguments.integer(at: 1), arguments.integer(at: 2))
      result.set(isRemoved ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `is_away(entity, key)`: whether an object of the source is not added, as the destination removed
/// it.
final class AwayFunction: ScalarFunction {
  private let ids: IDTable

  init(_ ids: IDTable) { self.ids = ids }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    do throws(SQLiteError) {
      let keys = ids.baseChanges?.away[arguments.text(at: 0)]
      let isAway = try keys?.contains(arguments.integer(at: 1)) ?? false
      result.set(isAway ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}
