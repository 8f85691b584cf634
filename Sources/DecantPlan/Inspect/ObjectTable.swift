internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The table with the objects of an entity, for looking up keys.
struct ObjectTable {
  /// The name of the table, if the layout has one.
  let table: String?
  private let name: String?
  private let key: String
  private let entityCode: String?
  /// The codes of objects in the table that are not of the entity.
  private let misplaced: [Int64]

  /// Finds the table of `entity`; without one no key exists.
  init(of entity: String?, _ model: Model, _ layout: Layout, _ schema: String) {
    let relation = entity.flatMap { model.root(of: $0) }.flatMap { layout.relation(of: $0.name) }
    let family = Set(entity.map { model.family(of: $0).map(\.name) } ?? [])
    table = relation?.table
    name = relation.map { $0.sqlTable(in: schema) }
    key = relation?.keyName ?? ""
    entityCode = relation?.entityCode(in: "t")
    misplaced = (relation?.entities ?? []).filter { !family.contains($0.name) }.map(\.code)
  }

  /// Returns the condition that an object has the key `value`, an SQL expression.
  func contains(_ value: String) -> String {
    guard let name else { return "0" }
    return "EXISTS (SELECT 1 FROM \(name) AS t WHERE t.\(key) = \(value))"
  }

  /// Returns the condition that the object with the key `value` is not of the entity; `nil` if all are.
  ///
  /// Objects of an unknown entity are a separate problem, and not counted here.
  func containsMisplaced(_ value: String) -> String? {
    guard let name, let entityCode, !misplaced.isEmpty else { return nil }
    return "EXISTS (SELECT 1 FROM \(name) AS t WHERE t.\(key) = \(value) "
      + "AND \(entityCode) IN (\(misplaced.list)))"
  }

  /// Returns SQL for the entity code of the object with the key `value`, NULL without one; `nil` if the table has no
  /// codes.
  func entity(of value: String) -> String? {
    guard let name, let entityCode else { return nil }
    return "(SELECT \(entityCode) FROM \(name) AS t WHERE t.\(key) = \(value))"
  }
}
