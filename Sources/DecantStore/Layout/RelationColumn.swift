package import DecantBase

/// One column of a relation, and what it stands for.
package struct RelationColumn: Sendable, Hashable {
  /// The column's name in the table, unquoted.
  package var name: String
  /// What it stands for, and by which it finds its counterpart in another store.
  package var columnRole: ColumnRole
  /// The codes of the entities whose objects have this property, or `nil` where all have.
  ///
  /// In the rows of other entities the column may hold anything: an in-place migration fills a new
  /// column in every row of the table.
  package var onlyIn: [Int64]?
  /// The conditions of which a row of a plain database has to meet one, so that the column means this in it; none
  /// where it does in every row.
  package var conditions: [RowCondition] = []
  /// The conditions under which the column means something else: of a row that meets one it holds no value here.
  package var exceptions: [RowCondition] = []
  /// What the values are, for attributes.
  package var type: AttributeType?
  /// How the values are written in the column.
  package var encoding = ValueEncoding.asIs
  /// Whether large values lie in files of their own.
  package var isExternal: Bool
  /// What stands in front of such a value where it is held inline all the same.
  package var inlineMark: [UInt8] = []
  /// For links: the text that stands before the key, as “tt:” in `tt:5`; `nil` where the key stands alone.
  package var keyPrefix: String?
  /// For links: the root entity of the object at the other end.
  package var targetRoot: String?
  /// For links: whether a value that leads nowhere stays as it is, where it can lead to no other object.
  package var keepsUnresolvedKeys: Bool
  /// For links of a plain database: whether no row can be without one.
  package var isRequired = false
  /// For links of a plain database: what its foreign key says becomes of the row when the one that it leads to is deleted.
  package var onDelete: DeleteRule?
  /// For links of a plain database: whether the row is deleted along with the one that it leads to.
  package var isOwned: Bool { onDelete == .cascade }
  /// For links: whether integers may stand there as text or with a fraction of nothing, as in a column
  /// that was declared so.
  package var holdsLooseIntegers = false
  /// The SQL function after which two values are the same that a unique index takes for the same: `lower` where
  /// it does not tell small letters from capitals; `nil` where only equal ones are.
  package var foldingFunction: String?
  /// For columns of a plain database: what the column makes of other values than its own.
  package var conversion = Conversion.none
  /// For columns of a plain database: the value that a row without one gets, as SQL.
  package var defaultLiteral: String?
  /// Whether the table computes the values itself; they are read and never written.
  package var isGenerated = false
  /// For columns that are no declared links and may hold keys: what their names say; `nil` for all others.
  package var linkHint: LinkHint?
  /// For the entity of a link's target: the codes it may hold.
  package var targetEntities: [Relation.EntityCode]

  /// What SQLite makes of a value by the type that its column was declared with.
  package enum Conversion: Sendable, Hashable {
    /// It stays what it is.
    case none
    /// Numbers become texts.
    case toText
    /// Texts that look like numbers become such.
    case toNumber
  }

  /// Describes a column that objects of every entity in the table have, unless told otherwise.
  package init(
    name: String,
    columnRole: ColumnRole,
    onlyIn: [Int64]? = nil,
    type: AttributeType? = nil,
    isExternal: Bool = false,
    targetRoot: String? = nil,
    targetEntities: [Relation.EntityCode] = [],
    keepsUnresolvedKeys: Bool = false,
    linkHint: LinkHint? = nil
  ) {
    self.name = name
    self.columnRole = columnRole
    self.onlyIn = onlyIn
    self.type = type
    self.isExternal = isExternal
    self.targetRoot = targetRoot
    self.targetEntities = targetEntities
    self.keepsUnresolvedKeys = keepsUnresolvedKeys
    self.linkHint = linkHint
  }
}

extension RelationColumn {
  /// Whether the rows decide what the column means.
  package var isConditional: Bool { !conditions.isEmpty || !exceptions.isEmpty }

  /// The condition under which the column means this in the row that `row` names, as SQL; `nil` where it always does.
  package func choice(in row: String?) -> String? {
    func any(_ conditions: [RowCondition]) -> String {
      conditions.map { "(\($0.sql(in: row)))" }.joined(separator: " OR ")
    }
    let parts =
      (conditions.isEmpty ? [] : ["(\(any(conditions)))"])
      + (exceptions.isEmpty ? [] : ["(\(any(exceptions))) IS NOT TRUE"])
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }
}

/// What a column stands for in the model: the same in every store of the model.
package enum ColumnRole: Sendable, Hashable {
  /// A value. A leaf of a composite attribute is named `address.city`.
  case attribute(Property)
  /// The object's own key, where the table shows it under a name of its own.
  case key(Property)
  /// The key of the object a to-one relationship leads to.
  case target(Property)
  /// The concrete entity of that object.
  case targetEntity(Property)
  /// This object's place in the ordered list at the other end of a to-one relationship.
  case position(Property)
  /// The key of the object that holds this one in a to-many relationship without inverse.
  case owner(Property)
  /// This object's place in the ordered list of that owner.
  case ownerPosition(Property)
  /// A value of a column that belongs to no property of the model.
  case unnamed(String)
  /// How often the object was saved.
  case revision
}

extension RelationColumn {
  /// Whether it says more of what the column `link` leads to: the entity, or the place in a list.
  package func isCompanion(of link: RelationColumn) -> Bool {
    switch (columnRole, link.columnRole) {
    case (.targetEntity(let own), .target(let other)), (.position(let own), .target(let other)),
      (.ownerPosition(let own), .owner(let other)):
      own == other
    default: false
    }
  }
}

extension ColumnRole {
  /// Whether the column shows the object's own key.
  package var isKey: Bool { if case .key = self { true } else { false } }
}
