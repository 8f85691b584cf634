package import DecantBase
package import DecantStore

/// How the objects of a model are laid out in plain tables: the names, and the encoding of values.
package struct ObjectsForm: Sendable {
  /// Returns the name of a table or a column for a name of the model.
  let name: @Sendable (String) -> String
  /// The maximum length of a name in bytes; `nil` for any length.
  let nameLimit: Int?
  /// Whether a property whose name is taken gets a number, rather than the name of its entity as a prefix.
  let numbersNames: Bool
  /// Returns the encoding of values of a type in an attribute.
  let encoding: @Sendable (AttributeType, Property) -> ValueEncoding
  /// Whether objects hold their owners in to-many relationships without inverse, as in a Core Data store, besides the
  /// tables of these links.
  package var holdsOwners = false

  /// Describes a form.
  package init(
    name: @escaping @Sendable (String) -> String,
    nameLimit: Int?,
    numbersNames: Bool,
    encoding: @escaping @Sendable (AttributeType, Property) -> ValueEncoding
  ) {
    (self.name, self.nameLimit, self.numbersNames) = (name, nameLimit, numbersNames)
    self.encoding = encoding
  }

  /// The form of a plain SQLite database: the names of the model, and dates and UUIDs as texts.
  package static let sqlite = ObjectsForm(
    name: { $0 },
    nameLimit: nil,
    numbersNames: false,
    encoding: { type, _ in type.plainEncoding }
  )

  /// Distinct names of this form, other than `reserved`.
  func names(_ reserved: Set<String> = []) -> PlainNames { PlainNames(reserved, limit: nameLimit) }
}
