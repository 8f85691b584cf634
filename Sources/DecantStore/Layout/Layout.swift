package import DecantBase
internal import DecantSQLite

/// The layout of a store: how its objects are stored in tables.
///
/// Source and destination have the same kind of description, so that a plan matches roles: every column of the
/// destination is filled from the source's column of the same role.
public struct StoreLayout: Sendable, Hashable {
  /// The relations of the root entities in the store, in the model's order.
  package var relations: [Relation] { didSet { laterLinkIndex = LaterLinkIndex() } }
  /// The relationships with a table of their own.
  package var linkRelations: [LinkRelation] { didSet { laterLinkIndex = LaterLinkIndex() } }
  private var laterLinkIndex = LaterLinkIndex()
  /// Links by values other than integer keys: they lead to the row with the same values.
  package var nonIntegerKeys: [NonIntegerKey] = []
  /// Links by several columns, or by values that are also keys of another table, of which a part is followed as a
  /// separate link.
  package var partialLinks: [NonIntegerKey] = []
  /// Links in or to computed columns: they cannot be changed to new keys.
  package var computedLinks: [NonIntegerKey] = []
  /// All other tables that are copied to a new store.
  package var plainTables: [PlainTable]
  /// The full-text tables; those with rows of their own are relations, too.
  package var textIndexes: [TextIndex] = []

  /// Describes a store with these tables; without link relations every link is a column.
  package init(relations: [Relation], linkRelations: [LinkRelation] = [], plainTables: [PlainTable] = []) {
    self.relations = relations
    self.linkRelations = linkRelations
    self.plainTables = plainTables
  }

  /// The links, in order and by relationship.
  var linkIndex: LinkIndex { laterLinkIndex.index(of: self) }

  /// Returns the relation with the objects of `root` and its subentities.
  package func relation(of root: String) -> Relation? {
    relations.first { $0.root == root }
  }

  /// Returns whether any link leads to objects of `root`, or a link by values leads from them.
  package func hasLinks(to root: String) -> Bool {
    links.contains { $0.target == root }
      || (nonIntegerKeys + partialLinks).contains { [$0.root, $0.targetRoot].contains(root) }
  }

  /// Returns the name of the concrete entity with `code` in any relation.
  package func name(of code: Int64?) -> String? {
    relations.lazy.flatMap(\.entities).first { $0.code == code }?.name
  }
}

/// The table with the objects of a root entity and its subentities.
package struct Relation: Sendable, Hashable {
  /// The root entity's name.
  package var root: String
  /// The table's name, unquoted, without schema.
  package var table: String
  /// The schema that always contains the table; `nil` for the one of the attached store.
  package var schema: String?
  /// A smaller table of that schema with the keys and entities of the same rows, under the same names; `nil` to read
  /// them from the table itself.
  package var keyTable: String?
  /// The key of the rows.
  package var key: RowKey
  /// Whether the store's own triggers fill the table when others are written.
  package var isFilledByTriggers = false
  /// How many triggers in a row write to the table when another one is written: it is filled before tables with fewer.
  package var triggerDepth = 0
  /// Whether its triggers handle conflicts themselves: a conflict clause in a statement would override them.
  package var leavesConflictsToTriggers = false
  /// Whether it is a virtual table, whose rows are never the target of a link.
  package var isVirtual = false
  /// The name of the key space shared by relations whose objects are numbered together; `nil` for a separate one.
  ///
  /// A key means the same in all of them, for example where the key of one is a link to another.
  package var keySpace: String?
  /// The column of an object's concrete entity, or `nil` if there is only one entity.
  package var entityColumn: String?
  /// Whether `entityColumn` contains names of entities instead of codes.
  package var namesEntities = false
  /// The concrete entities in the table, with their codes in `entityColumn`.
  package var entities: [EntityCode]
  /// The table's columns without key and entity: values, links, and companions of links.
  package var columns: [RelationColumn]
  /// The terms for the rows.
  package var terms = Terms.objects
  /// For a plain table: the values that identify its rows in every database.
  package var rowNames: [RowName] = []
  /// For a plain table without an integer key column: the columns of its primary key.
  package var ownKey: [String] = []
  /// For a plain table: the columns whose values are unique among the rows that meet a condition.
  package var partialKeys: [PartialKey] = []
  /// Whether the key is only the position of a row in its table, which means nothing in another store.
  package var isNumbered = false
  /// Whether the key may be data, such as a time or a postal code: the table declares it, and no counter for it.
  package var keyMayBeData = false
  /// Whether the store gives each key once, however many rows are deleted: a counter does.
  package var numbersOnce = false

  /// A concrete entity and its code in a store.
  package struct EntityCode: Sendable, Hashable {
    /// The entity's name in the model.
    package var name: String
    /// The code in the entity column, which may differ between stores of one model.
    package var code: Int64

    /// Describes the code of an entity in one store.
    package init(name: String, code: Int64) {
      self.name = name
      self.code = code
    }
  }

  /// A unique index with a condition, as of e-mail addresses among the accounts that are not deleted.
  package struct PartialKey: Sendable, Hashable {
    /// The columns of the index.
    package var columns: [String]
    /// The condition as SQL over columns of the table, as the database declares it.
    package var condition: String

    /// Describes an index of `columns` over the rows that meet `condition`.
    package init(_ columns: [String], where condition: String) {
      (self.columns, self.condition) = (columns, condition)
    }
  }

  /// The key of the rows of a table.
  package enum RowKey: Sendable, Hashable {
    /// An integer in this column: it identifies the object, is mapped by the ID table, and is stored in links.
    case integer(column: String, isRowID: Bool)
    /// The values of these columns, which define batches; they are treated as ordinary values.
    case values([String])
    /// No key: all rows form one batch.
    case none
  }

  /// Whether objects keep their key: it is in a column of its own, while a database without such a column may renumber
  /// its rows.
  package var handsOutKeys: Bool {
    entityColumn != nil || columns.contains { $0.columnRole.isKey }
  }

  /// The columns of its unique indexes with a condition.
  package var partialKeyColumns: [String] {
    partialKeys.flatMap(\.columns).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The column with the integer key; `nil` if there is none.
  package var keyColumn: String? {
    guard case .integer(let column, _) = key else { return nil }
    return column
  }

  /// The key as an SQL name; NULL if rows have no integer key.
  package var keyName: String { keyColumn?.sqlName ?? "NULL" }

  /// Whether the key is the rowid, by which single values can be opened.
  package var hasRowNumbers: Bool {
    if case .integer(_, isRowID: true) = key { true } else { false }
  }

  /// Whether single values can be opened by `sqlite3_blob_open`.
  ///
  /// It opens the wrong column if a virtual generated column precedes the requested one.
  package var opensValues: Bool { hasRowNumbers && !columns.contains(where: \.isGenerated) }

  /// The name of the relations that share this one's key space.
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

  /// Describes a table; `entityColumn` is `nil` if all objects are of one entity.
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

  /// The names of all entities that declare a property here, including abstract ones.
  package var allEntities: Set<String> {
    let declaring = columns.compactMap { column -> String? in
      switch column.columnRole {
      case .attribute(let property), .target(let property), .key(let property): property.entity
      case .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: nil
      }
    }
    return Set(declaring + entities.map(\.name) + [root])
  }

  /// Returns the table's SQL name in a store that is attached as `schema`.
  package func sqlTable(in schema: String) -> String {
    "\((self.schema ?? schema).sqlName).\(table.sqlName)"
  }

  /// Returns the column with the role `columnRole`.
  package func column(_ columnRole: ColumnRole) -> RelationColumn? {
    columns.first { $0.columnRole == columnRole }
  }

  /// Returns the code of the concrete entity `name`.
  package func code(of name: String) -> Int64? {
    entities.first { $0.name == name }?.code
  }
}

package typealias Layout = StoreLayout
