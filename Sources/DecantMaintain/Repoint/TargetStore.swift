internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The store that references lead to, prepared for looking up single objects.
final class TargetStore {
  let store: any SourceStore
  /// The schema name under which it is attached.
  let schema: String
  private let connection: Connection
  /// The identifying attribute of each entity for which the user declared one.
  private let declared: [String: String]
  private var objects: [String: Statement] = [:]
  private var identities: [String: TargetIdentity?] = [:]
  private var values: Statement?

  static let schema = "target"

  /// Makes `store` readable on `connection`, where it is `main` if both stores are the same file.
  init(
    _ store: any SourceStore,
    declared: [String: String],
    isMain: Bool,
    on connection: Connection
  ) throws(DecantError) {
    self.store = store
    self.connection = connection
    self.declared = declared
    schema = isMain ? "main" : TargetStore.schema
    if let gap = store.modelGap { throw gap }
    for (entity, attribute) in declared { try TargetStore.check(entity, attribute, store) }
    if !isMain { try store.meet(on: connection, as: schema) }
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try ValueFunctions.register(on: connection)
    }
  }

  private static func check(_ entity: String, _ attribute: String, _ store: any SourceStore) throws(DecantError) {
    let option: DecantError.Text = "\(option: .identity, "\(entity): \(attribute)")"
    guard store.model[entity] != nil else {
      throw DecantError(
        .unknownName,
        "“\(store.identity.place)” has no entity \(entity)",
        place: option,
        remedy: "\(entity.remedy(among: store.model.entities.map(\.name)))",
        remedies: [.correctName(entity, among: store.model.entities.map(\.name))]
      )
    }
    let names = store.model.attributes(of: entity).map(\.name)
    guard TargetIdentity.column(attribute, of: entity, store) == nil else { return }
    throw DecantError(
      .unknownName,
      "\(entity) of “\(store.identity.place)” has no attribute \(attribute)",
      place: option,
      remedy: attribute.nearest(in: names).map { "did you mean \($0)?" }
        ?? "it has \(names.joined(separator: ", "))",
      remedies: [.correctName(attribute, among: names)]
    )
  }

  /// Returns the root of `entity`, if it has a table in the store.
  func root(of entity: String) -> String? {
    guard let root = store.model.root(of: entity)?.name, store.layout.relation(of: root) != nil
    else { return nil }
    return root
  }

  /// Returns the concrete entity of the object of `root` with `key`; `nil` if there is none.
  func entity(of key: Int64, in root: String) throws(SQLiteError) -> String? {
    guard let relation = store.layout.relation(of: root), relation.keyColumn != nil else {
      return nil
    }
    let statement: Statement
    if let known = objects[root] {
      statement = known
    } else {
      statement = try connection.prepare(
        """
        SELECT \(relation.entityCode() ?? "NULL") FROM \(relation.sqlTable(in: schema))
        WHERE \(relation.keyName) = ?1
        """
      )
      objects[root] = statement
    }
    defer { statement.reset() }
    statement.bind(integer: key, at: 1)
    guard try statement.step() else { return nil }
    guard let code = statement.integerOrNil(at: 0) else { return root }
    return relation.entities.first { $0.code == code }?.name ?? root
  }

  /// Returns the identity of the concrete entity `name`; `nil` if it has none.
  func identity(of name: String) throws(DecantError) -> TargetIdentity? {
    if let known = identities[name] { return known }
    let found = try TargetIdentity(of: name, declared, self, on: connection)
    identities[name] = found
    return found
  }

  /// Returns the error for an entity whose objects cannot be identified by a single value.
  func noIdentity(of entity: String) -> DecantError {
    let likely = store.model.attributes(of: entity).filter(\.mayBeKey).map(\.name)
    return DecantError(
      .missingOption,
      "no single attribute identifies the objects of \(entity)",
      place: "the model of “\(store.identity.place)” declares no single attribute as unique",
      remedy: "choose the attribute: \(say: .identity, "\(entity): \(likely.first ?? "attribute")")"
    )
  }

  /// Whether an object has the identity with the text form `text`.
  func hasIdentity(_ text: String) throws(DecantError) -> Bool {
    let statement = try lookup()
    return try explaining("cannot look up identities") { () throws(SQLiteError) in
      defer { statement.reset() }
      try statement.bind(.text(text), at: 1)
      return try statement.step()
    }
  }

  /// Returns the statement that looks up identities by text; its table is filled on first use.
  private func lookup() throws(DecantError) -> Statement {
    if let values { return values }
    var found: [TargetIdentity] = []
    for entity in store.model.entities where !entity.isAbstract {
      if let identity = try identity(of: entity.name) { found.append(identity) }
    }
    let statement = try explaining("cannot read the identities of “\(store.identity.place)”") {
      () throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE decant_identities (value TEXT PRIMARY KEY) WITHOUT ROWID")
      for identity in found {
        try connection.run("INSERT OR IGNORE INTO temp.decant_identities \(identity.textsOfObjects)")
      }
      return try connection.prepare("SELECT 1 FROM temp.decant_identities WHERE value = ?1")
    }
    values = statement
    return statement
  }
}
