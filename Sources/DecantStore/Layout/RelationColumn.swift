package import DecantBase

/// One column of a relation, and its role.
package struct RelationColumn: Sendable, Hashable {
  /// The column's name in the table, unquoted.
  package var name: String
  /// The role, by which the column is matched with one in another store.
  package var columnRole: ColumnRole
  /// The codes of the entities with this property, or `nil` if all have it.
  ///
  /// In the rows of other entities the column may contain anything: an in-place migration fills a new column in every
  /// row of the table.
  package var onlyIn: [Int64]?
  /// For a plain database: the conditions, of which one must hold for the column to have this role in a row; empty if
  /// it always has.
  package var conditions: [RowCondition] = []
  /// The conditions under which the column has another role: in such a row it has no value here.
  package var exceptions: [RowCondition] = []
  /// The type of the values, for attributes.
  package var type: AttributeType?
  /// The encoding of the values in the column.
  package var encoding = ValueEncoding.asIs
  /// The spelling of the values, if they were read from a server whose tables decant did not create: they are compared in
  /// it, in conditions and between stores.
  package var spelling: ValueSpelling?
  /// For dates read from a database whose columns hold microseconds: whether they were rounded there, although this
  /// column would not round them.
  package var isReadInMicroseconds = false
  /// Whether large values are stored in files of their own.
  package var isExternal: Bool
  /// For such values: whether they were read from a database that has no files, so that another store may have the same
  /// bytes in a file or inline.
  package var isReadWithoutFiles = false
  /// The prefix of such a value if it is stored inline.
  package var inlineMark: [UInt8] = []
  /// For links: the text before the key, as “tt:” in `tt:5`; `nil` for a plain key.
  package var keyPrefix: String?
  /// For links: the root entity of the target.
  package var targetRoot: String?
  /// For links: whether a dangling value stays unchanged if it cannot lead to another object.
  package var keepsUnresolvedKeys: Bool
  /// For links of a plain database: whether every row needs one.
  package var isRequired = false
  /// For links of a plain database: the foreign key's action when the target row is deleted.
  package var onDelete: DeleteRule?
  /// For links of a plain database: whether the row is deleted along with the target.
  package var isOwned: Bool { onDelete == .cascade }
  /// For links: whether integers may be stored as text or as whole real numbers, as some column types allow.
  package var holdsLooseIntegers = false
  /// The SQL function whose results are equal for values that a unique index treats as equal, such as `lower` for an
  /// index that ignores case; `nil` if only equal values are.
  package var foldingFunction: String?
  /// For columns of a plain database: how the column converts values.
  package var conversion = Conversion.none
  /// For columns of a plain database: the default value, as SQL.
  package var defaultLiteral: String?
  /// Whether the table computes the values; they are read and never written.
  package var isGenerated = false
  /// For columns that are not declared links but may contain keys: the evidence of names; otherwise `nil`.
  package var linkHint: LinkHint?
  /// For the entity column of a link's target: its possible codes.
  package var targetEntities: [Relation.EntityCode]

  /// SQLite's conversion of a value by the declared type of its column.
  package enum Conversion: Sendable, Hashable {
    /// Values are not converted.
    case none
    /// Numbers are converted to texts.
    case toText
    /// Texts that look like numbers are converted to numbers.
    case toNumber
  }

  /// Describes a column, by default one that objects of every entity in the table have.
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
  /// Whether no date in the column is more precise than a microsecond.
  package var holdsMicroseconds: Bool { isReadInMicroseconds || encoding == .strict(.microseconds) }

  /// Whether the role of the column depends on the row.
  package var isConditional: Bool { !conditions.isEmpty || !exceptions.isEmpty }

  /// Returns the SQL condition under which the column has this role in the row `row`; `nil` if it always has.
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

/// The role of a column in the model: the same in every store of the model.
package enum ColumnRole: Sendable, Hashable {
  /// A value. A leaf of a composite attribute is named `address.city`.
  case attribute(Property)
  /// The object's own key, where the table has a name for it.
  case key(Property)
  /// The key of the target of a to-one relationship.
  case target(Property)
  /// The concrete entity of that target.
  case targetEntity(Property)
  /// This object's position in the ordered list at the other end of a to-one relationship.
  case position(Property)
  /// The key of the owner in a to-many relationship without inverse.
  case owner(Property)
  /// This object's position in the ordered list of that owner.
  case ownerPosition(Property)
  /// A column that belongs to no property of the model.
  case unnamed(String)
  /// The number of times the object was saved.
  case revision
}

extension RelationColumn {
  /// Returns whether the column describes the link in `link` further: its entity, or its position in a list.
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
  /// Whether the column is the object's own key.
  package var isKey: Bool { if case .key = self { true } else { false } }
}
