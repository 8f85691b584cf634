internal import DecantBase
package import DecantPlain
internal import DecantPostgres
package import DecantStore

/// A table or a column that may have another name in the database that was copied.
package protocol ServerNamed {
  var name: String { get }
  /// The name in the database that was copied, if it is different.
  var origin: String? { get }
}

extension ServerNamed {
  /// The name in the database that was copied.
  package var own: String { origin ?? name }
}

/// The tables, keys, indexes and references that hold a store in PostgreSQL.
package struct ServerSchema: Sendable {
  /// A column.
  package struct Column: ServerNamed, Sendable, Hashable {
    package var name: String
    package var type: ServerType
    /// The form in which it holds values of another type; `nil` for values of its own type.
    package var form: ValueForm?
    /// The spelling of values of a type that decant did not choose.
    package var spelling: ValueSpelling?
    /// Whether the model requires a value; the rows determine whether the column does.
    package var wantsValue = false
    /// The default value, as SQL.
    package var defaultValue: String?
    package var origin: String?
    /// The SQL expression for reading the column; `nil` for the column itself.
    package var expression: String?
    /// The SQL expression on a row `r` whose value is sent; `nil` for the column with its name.
    package var sending: String?

    package init(
      name: String, type: ServerType, form: ValueForm? = nil, wantsValue: Bool = false, sending: String? = nil
    ) {
      (self.name, self.type, self.form) = (name, type, form)
      (self.wantsValue, self.sending) = (wantsValue, sending)
    }
  }

  /// A table.
  package struct Table: ServerNamed, Sendable, Hashable {
    package var name: String
    package var columns: [Column]
    /// The columns of the primary key; empty for none.
    package var key: [String]
    /// Whether the key is an integer that the server assigns.
    package var isIdentity = false
    /// The condition that every row meets, as SQL.
    package var check: String?
    package var origin: String?
    /// A name for the row numbers in that database, if no column contains them.
    package var rowID: String?
    /// Whether other tables inherit from it, whose rows are not included.
    package var hasHeirs = false
    /// The query whose rows are read; `nil` for the rows of the table.
    package var query: String?
    /// The condition of the rows that are read, as SQL; `nil` for all.
    package var condition: String?

    package init(name: String, columns: [Column], key: [String], isIdentity: Bool = false) {
      (self.name, self.columns, self.key, self.isIdentity) = (name, columns, key, isIdentity)
    }
  }

  /// An index.
  package struct Index: Sendable, Hashable {
    package var name: String
    package var table: String
    package var columns: [String]
    package var isUnique = false
    /// The condition of the rows in the index, as SQL.
    package var condition: String?

    package init(name: String, table: String, columns: [String], isUnique: Bool = false, condition: String? = nil) {
      (self.name, self.table, self.columns) = (name, table, columns)
      (self.isUnique, self.condition) = (isUnique, condition)
    }
  }

  /// A foreign key.
  package struct Reference: Sendable, Hashable {
    package var name: String
    package var table: String
    package var columns: [String]
    package var target: String
    package var targetColumns: [String]
    /// What happens to the row when its target is deleted, as SQL.
    package var onDelete: String
    /// What happens to the row when the columns of its target change, as SQL.
    package var onUpdate = "NO ACTION"

    package init(
      name: String, table: String, columns: [String], target: String, targetColumns: [String], onDelete: String,
      onUpdate: String = "NO ACTION"
    ) {
      (self.name, self.table, self.columns) = (name, table, columns)
      (self.target, self.targetColumns) = (target, targetColumns)
      (self.onDelete, self.onUpdate) = (onDelete, onUpdate)
    }
  }

  package var tables: [Table] = []
  package var indexes: [Index] = []
  package var references: [Reference] = []

  package init() {}
}

extension ServerSchema.Table {
  /// Returns the name in the database that was copied of the column called `name`.
  package func own(_ name: String) -> String { columns.first { $0.name == name }?.own ?? name }
}

extension ServerSchema {
  /// The schema for the objects of a model.
  package init(_ objects: ObjectsLayout, _ form: ServerForm) {
    let (model, layout) = (objects.model, objects.layout)
    // Tables and indexes share one namespace.
    var names = PlainNames(
      Set((layout.relations.map(\.table) + layout.linkRelations.map(\.table)).map(\.foldedName)),
      limit: ServerNames.limit
    )
    for relation in layout.relations { add(relation, model, form, &names, layout) }
    for links in layout.linkRelations { add(links, model, &names, layout) }
    for (entity, constraint) in model.entities.flatMap({ entity in
      entity.uniquenessConstraints.map { (entity, $0) }
    }) {
      add(constraint, of: entity, model, layout, &names)
    }
  }

  private mutating func add(
    _ relation: Relation,
    _ model: Model,
    _ form: ServerForm,
    _ names: inout PlainNames,
    _ layout: Layout
  ) {
    var table = Table(name: relation.table, columns: [], key: [ObjectsLayout.key], isIdentity: true)
    table.columns.append(Column(name: ObjectsLayout.key, type: .bigint, wantsValue: true))
    if let column = relation.entityColumn {
      table.columns.append(Column(name: column, type: .text, wantsValue: true))
      let entities = relation.entities.map { ServerNames.quoted(literal: $0.name) }.joined(separator: ", ")
      table.check = "\(ServerNames.quoted(column)) IN (\(entities))"
    }
    var seen: Set<String> = []
    for column in relation.columns where seen.insert(column.name).inserted {
      let isShared = relation.columns.count { $0.name == column.name } > 1
      table.columns.append(
        Column(
          name: column.name,
          type: form.type(of: column),
          form: form.chosenType(of: column)?.form,
          wantsValue: !isShared && column.onlyIn == nil && model.requires(column.columnRole)
        )
      )
      guard let root = column.targetRoot, let target = layout.relation(of: root) else { continue }
      let name = "\(relation.table)_\(column.name)"
      indexes.append(Index(name: names.claim(name + "_idx"), table: relation.table, columns: [column.name]))
      references.append(
        Reference(
          name: names.claim(name + "_fkey"),
          table: relation.table,
          columns: [column.name],
          target: target.table,
          targetColumns: [ObjectsLayout.key],
          onDelete: model.actionOfDeletion(column.columnRole)
        )
      )
    }
    tables.append(table)
  }

  private mutating func add(_ links: LinkRelation, _ model: Model, _ names: inout PlainNames, _ layout: Layout) {
    let ends = [(links.ownerColumn, links.ownerRoot), (links.targetColumn, links.targetRoot)]
    let places = [links.positionColumn, links.inversePositionColumn].compactMap(\.self)
    tables.append(
      Table(
        name: links.table,
        columns: ends.map { Column(name: $0.0, type: .bigint, wantsValue: true) }
          + places.map { Column(name: $0, type: .bigint) },
        key: ends.map(\.0)
      )
    )
    indexes.append(
      Index(
        name: names.claim("\(links.table)_\(links.targetColumn)_idx"),
        table: links.table,
        columns: ends.map(\.0).reversed()
      )
    )
    for (column, root) in ends {
      guard let target = layout.relation(of: root) else { continue }
      references.append(
        Reference(
          name: names.claim("\(links.table)_\(column)_fkey"),
          table: links.table,
          columns: [column],
          target: target.table,
          targetColumns: [ObjectsLayout.key],
          // A link is not an object: it is deleted with either of its ends.
          onDelete: "CASCADE"
        )
      )
    }
  }

  /// Adds a unique index for attributes in which no two objects of `entity` may be equal.
  private mutating func add(
    _ constraint: [String],
    of entity: Entity,
    _ model: Model,
    _ layout: Layout,
    _ names: inout PlainNames
  ) {
    guard let root = model.root(of: entity.name), let relation = layout.relation(of: root.name) else { return }
    let columns = constraint.compactMap { name in
      model.lineage(of: entity.name).lazy.compactMap { ancestor -> RelationColumn? in
        let property = Property(ancestor.name, name)
        return relation.column(.attribute(property)) ?? relation.column(.target(property))
      }.first
    }
    guard !columns.isEmpty, columns.count == constraint.count else { return }
    let own = model.family(of: entity.name).filter { !$0.isAbstract }.map(\.name)
    var condition: String?
    if let column = relation.entityColumn, own.count < relation.entities.count {
      guard !own.isEmpty else { return }
      condition =
        "\(ServerNames.quoted(column)) IN (\(own.map { ServerNames.quoted(literal: $0) }.joined(separator: ", ")))"
    }
    let name = ([relation.table] + columns.map(\.name) + ["key"]).joined(separator: "_")
    indexes.append(
      Index(
        name: names.claim(name),
        table: relation.table,
        columns: columns.map(\.name),
        isUnique: true,
        condition: condition
      )
    )
  }
}

extension ServerSchema {
  /// The names that the server gives to the index and the sequence of a table's key.
  package func namesMade(with table: Table) -> [String] {
    guard !table.key.isEmpty else { return [] }
    let sequence = table.isIdentity ? [ServerNames.made(from: table.name, column: table.key[0], "seq")] : []
    return [ServerNames.made(from: table.name, "pkey")] + sequence
  }

  /// The names of the tables, and of the indexes and sequences that are made with them.
  package var relationNames: [String] {
    tables.map(\.name) + indexes.map(\.name) + tables.flatMap { namesMade(with: $0) }
  }

  /// The names of the types that are made with the tables: those of their rows, and of arrays of rows.
  package var typeNames: [String] { tables.flatMap { [$0.name, ServerNames.array(of: $0.name)] } }
}

extension Model {
  /// Whether the property in a column must have a value.
  fileprivate func requires(_ role: ColumnRole) -> Bool {
    switch role {
    case .attribute(let property):
      guard let attribute = self[property.entity]?.attributes.first(where: { $0.name == property.name }) else {
        // This is a leaf of a composite attribute.
        return false
      }
      return !attribute.isOptional && !attribute.isDerived
    case .target(let property): return relationship(property)?.isOptional == false
    default: return false
    }
  }

  /// Returns the effect on an object when the target of its link is deleted: the delete rule of the other end.
  fileprivate func actionOfDeletion(_ role: ColumnRole) -> String {
    guard case .target(let property) = role, let relationship = relationship(property),
      let back = inverseProperty(of: relationship), let inverse = self.relationship(back)
    else { return "SET NULL" }
    return switch inverse.deleteRule {
    case .noAction: "NO ACTION"
    case .nullify: relationship.isOptional ? "SET NULL" : "NO ACTION"
    case .cascade: "CASCADE"
    case .deny: "RESTRICT"
    }
  }
}
