package import DecantBase
internal import DecantSQLite

/// How a store lays its objects out in tables: what SQLite has to know to read or to write them.
///
/// Source and destination describe themselves in the same words, so that a plan is made by matching
/// roles: every column of the destination is filled from the source's column of the same role.
public struct StoreLayout: Sendable, Hashable {
  /// One for each root entity that has a place in the store, in the model's order.
  package var relations: [Relation]
  /// One for each relationship that has a table of its own.
  package var linkRelations: [LinkRelation]
  /// Links by values that are no keys of integers: they lead to whichever row has the same values.
  package var nonIntegerKeys: [NonIntegerKey] = []
  /// Links by several columns, or by values that are keys of another table at the same time, of which a part is
  /// followed as a link of its own: no part of them can be cut alone.
  package var partialLinks: [NonIntegerKey] = []
  /// Links in computed columns, or to such: they cannot follow keys that change.
  package var computedLinks: [NonIntegerKey] = []
  /// Everything else that travels into a new store.
  package var plainTables: [PlainTable]
  /// The tables by which texts are found; those with rows of their own are relations, too.
  package var textIndexes: [TextIndex] = []

  /// Describes a store of these tables; without link relations every link is a column.
  package init(relations: [Relation], linkRelations: [LinkRelation] = [], plainTables: [PlainTable] = []) {
    self.relations = relations
    self.linkRelations = linkRelations
    self.plainTables = plainTables
  }

  /// Returns the relation that holds the objects of `root` and of everything below it.
  package func relation(of root: String) -> Relation? {
    relations.first { $0.root == root }
  }

  /// Whether a link leads to objects of `root`, or leads from them to others by values.
  package func hasLinks(to root: String) -> Bool {
    links.contains { $0.target == root }
      || (nonIntegerKeys + partialLinks).contains { [$0.root, $0.targetRoot].contains(root) }
  }

  /// Returns the name of the concrete entity with `code`, in whichever relation it is.
  package func name(of code: Int64?) -> String? {
    relations.lazy.flatMap(\.entities).first { $0.code == code }?.name
  }
}

/// The objects of a root entity and of its sub-entities, as one table.
package struct Relation: Sendable, Hashable {
  /// The root entity's name.
  package var root: String
  /// The table's name, unquoted, without schema.
  package var table: String
  /// The schema that always holds the table; `nil` for the one under which the store is attached.
  package var schema: String?
  /// A smaller table of that schema with the same rows' keys and entities, under the same names; `nil` where
  /// the table itself is asked for these.
  package var keyTable: String?
  /// By what a row is told from others.
  package var key: RowKey
  /// Whether the store's own triggers fill the table while others are written.
  package var isFilledByTriggers = false
  /// Whether triggers write to the table while others are written: it is filled before these.
  package var isWrittenByTriggers = false
  /// Whether its triggers say themselves what happens in a conflict: a statement that says it would override them.
  package var leavesConflictsToTriggers = false
  /// Whether it is a virtual table, to whose rows no link leads.
  package var isVirtual = false
  /// The name that relations share whose objects are numbered together; `nil` for a family of its own.
  ///
  /// A key means the same in all of them, as where the key of one is a link to another.
  package var keySpace: String?
  /// The column that tells an object's concrete entity, or `nil` where all are of one.
  package var entityColumn: String?
  /// Whether `entityColumn` holds the entities' names, and no codes.
  package var namesEntities = false
  /// The concrete entities in the table, and the code that `entityColumn` holds for each.
  package var entities: [EntityCode]
  /// The table's columns but for key and entity: values, links, and what goes with a link.
  package var columns: [RelationColumn]
  /// The words for the rows.
  package var terms = Terms.objects
  /// Of a plain table: the values by which its rows are known in every database.
  package var rowNames: [RowName] = []
  /// Of a plain table whose rows are numbered by no column of its own: the columns of its primary key.
  package var ownKey: [String] = []
  /// Whether the key is only a row's place among those of its table, which says nothing in another store.
  package var isNumbered = false

  /// A concrete entity and the number by which its objects are told apart.
  package struct EntityCode: Sendable, Hashable {
    /// The entity's name in the model.
    package var name: String
    /// The number in the entity column; two stores of one model may differ in it.
    package var code: Int64

    /// Pairs an entity with its number in one store.
    package init(name: String, code: Int64) {
      self.name = name
      self.code = code
    }
  }

  /// By what the rows of a table are told from one another.
  package enum RowKey: Sendable, Hashable {
    /// An integer, in this column: it names the object, is mapped by the ID table, and links hold it.
    case integer(column: String, isRowID: Bool)
    /// The values of these columns, by which batches go; they are values like any other.
    case values([String])
    /// Nothing: all rows are one batch.
    case none
  }

  /// Whether objects keep the key that they got: it is a column of their own, where a database without such a
  /// column may number its rows anew.
  package var handsOutKeys: Bool {
    entityColumn != nil || columns.contains { $0.columnRole.isKey }
  }

  /// The column with the integer that names an object; `nil` where none does.
  package var keyColumn: String? {
    guard case .integer(let column, _) = key else { return nil }
    return column
  }

  /// The key as SQL names it; NULL where rows have none that is an integer.
  package var keyName: String { keyColumn?.sqlName ?? "NULL" }

  /// Whether the key is the table's rowid, by which a value can be opened as a file can.
  package var hasRowNumbers: Bool {
    if case .integer(_, isRowID: true) = key { true } else { false }
  }

  /// Whether single values can be opened as a file can.
  ///
  /// SQLite's `sqlite3_blob_open` takes another column than the one it is asked for where one that is
  /// computed on reading stands before it.
  package var opensValues: Bool { hasRowNumbers && !columns.contains(where: \.isGenerated) }

  /// The relations whose keys are numbered with this one's, by one name.
  package var family: String { keySpace ?? root }

  /// Describes a table whose key is its rowid.
  package init(
    root: String,
    table: String,
    keyColumn: String,
    entityColumn: String?,
    entities: [EntityCode],
    columns: [RelationColumn]
  ) {
    self.init(
      root: root,
      table: table,
      key: .integer(column: keyColumn, isRowID: true),
      entityColumn: entityColumn,
      entities: entities,
      columns: columns
    )
  }

  /// Describes a table; `nil` for the entity's column where all objects are of one entity.
  package init(
    root: String,
    table: String,
    key: RowKey,
    entityColumn: String?,
    entities: [EntityCode],
    columns: [RelationColumn],
    keySpace: String? = nil
  ) {
    self.root = root
    self.table = table
    self.key = key
    self.keySpace = keySpace
    self.entityColumn = entityColumn
    self.entities = entities
    self.columns = columns
  }

  /// The names of all entities that declare something here, abstract ones too.
  package var allEntities: Set<String> {
    let declaring = columns.compactMap { column -> String? in
      switch column.columnRole {
      case .attribute(let property), .target(let property), .key(let property): property.entity
      case .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: nil
      }
    }
    return Set(declaring + entities.map(\.name) + [root])
  }

  /// The table as SQL names it, of a store that is attached as `schema`.
  package func sqlTable(in schema: String) -> String {
    "\((self.schema ?? schema).sqlName).\(table.sqlName)"
  }

  /// Returns the column that means `columnRole`.
  package func column(_ columnRole: ColumnRole) -> RelationColumn? {
    columns.first { $0.columnRole == columnRole }
  }

  /// Returns the code of the concrete entity `name`.
  package func code(of name: String) -> Int64? {
    entities.first { $0.name == name }?.code
  }
}

package typealias Layout = StoreLayout
