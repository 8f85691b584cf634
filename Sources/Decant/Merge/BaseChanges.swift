internal import SQLite

/// What two stores have changed since their common ancestor, as far as writing and proving has to know it.
final class BaseChanges {
  /// The properties that objects take from the source, by root entity; the others stay as the destination has them.
  var taken: [String: PropertyKeys] = [:]
  /// Links from many to many that the destination has removed, and the source left as they were.
  let removedLinks: RemovedLinks
  /// Links from many to many that the source has removed, and the destination left as they were.
  let droppedLinks: RemovedLinks
  /// Objects of the source that stay away, as the destination has removed them.
  var away: [String: KeySet] = [:]
  /// Objects that the source has removed, and the destination left as they were: keys of the destination.
  var dropped: [String: KeySet] = [:]
  /// Ordered lists that take the source's order.
  var orders: [TakenOrder] = []

  /// Finds the value that was decided on for a property of an object of the source, by key, root entity and label, where
  /// conflicts are listed.
  var decided: ((Int64, String, String) throws(SQLiteError) -> Binding?)?

  init(_ removedLinks: RemovedLinks, _ droppedLinks: RemovedLinks) {
    (self.removedLinks, self.droppedLinks) = (removedLinks, droppedLinks)
  }
}

/// The SQL function `keeps(entity, key, property)`: whether an object of the source that is merged property by property
/// leaves there what the destination has; `keeps_there` is the same of the object's key in the destination.
final class KeepsFunction: ScalarFunction {
  private let ids: IDTable
  private let side: MatchSide

  init(_ ids: IDTable, _ side: MatchSide) { (self.ids, self.side) = (ids, side) }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    let root = arguments.text(at: 0)
    guard let taken = ids.baseChanges?.taken[root] else { return result.set(Int64(0)) }
    do throws(SQLiteError) {
      var key = arguments.integer(at: 1)
      if side == .destination {
        guard let own = try ids.map(of: root)?.survivors?.source(of: key) else {
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

extension Meaning {
  /// The name that a person knows: of an attribute, a relationship or a column.
  var name: String {
    switch self {
    case .attribute(let property), .key(let property), .target(let property): property.name
    case .targetEntity(let property), .position(let property): property.name
    case .owner(let property), .ownerPosition(let property): property.name
    case .unnamed(let name): name
    case .revision: "revision"
    }
  }

  /// The name by which `keeps` knows it.
  var label: String {
    switch self {
    case .attribute(let property), .key(let property), .target(let property):
      property.description
    case .targetEntity(let property), .position(let property): property.description
    case .owner(let property), .ownerPosition(let property): "owner \(property)"
    case .unnamed(let name): "column \(name)"
    case .revision: "revision"
    }
  }
}

/// The SQL function `decided(entity, key, property, value)`: the value that was decided on for a property of an object of the
/// source, else `value`.
final class DecidedFunction: ScalarFunction {
  private let ids: IDTable

  init(_ ids: IDTable) { self.ids = ids }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    guard let decided = ids.baseChanges?.decided else { return result.pass(arguments, at: 3) }
    do throws(SQLiteError) {
      let value = try decided(
        arguments.integer(at: 1),
        arguments.text(at: 0),
        arguments.text(at: 2)
      )
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

/// The SQL function `removed_link(relationship, owner, target)`: whether the destination has removed a link that
/// the source left as it was.
final class RemovedLinkFunction: ScalarFunction {
  private let ids: IDTable

  init(_ ids: IDTable) { self.ids = ids }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    guard let links = ids.baseChanges?.removedLinks else { return result.set(Int64(0)) }
    do throws(SQLiteError) {
      let isRemoved = try links.contains(
        arguments.text(at: 0),
        arguments.integer(at: 1),
        arguments.integer(at: 2)
      )
      result.set(isRemoved ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `is_away(entity, key)`: whether an object of the source stays away, as the destination has removed it.
final class AwayFunction: ScalarFunction {
  private let ids: IDTable

  init(_ ids: IDTable) { self.ids = ids }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    do throws(SQLiteError) {
      let keys = ids.baseChanges?.away[arguments.text(at: 0)]
      let isAway = try keys?.contains(arguments.integer(at: 1)) ?? false
      result.set(isAway ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}

extension LinkRelation {
  /// The condition that a link of the source was removed in the destination since the common ancestor.
  func isRemoved(_ owner: String, _ target: String) -> String {
    "removed_link(\(relationship.description.sqlText), \(owner), \(target))"
  }
}
