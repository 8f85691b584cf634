/// The evidence of names that an undeclared column contains keys.
///
/// Names alone are not sufficient: the values are read before the user is asked.
package struct LinkHint: Sendable, Hashable {
  /// The tables that the column's name suggests, most likely first.
  package var named: [Named]
  /// The tables among them that are no likelier than others.
  package var tied: Set<String> = []
  /// Whether the name suggests a parent row in a tree, in which at least one row has no parent.
  package var isParent = false
  /// The tables whose names it may abbreviate, as `nid` does `notes`: that alone is not evidence.
  package var shortened: Set<String> = []
  /// Whether the name ends like the names of links.
  package var isLinkLike = false
  /// Whether the name declares a link, as `book_fk` does.
  package var isForeignKey = false
  /// Whether the name suggests a count or a state, as `status` beside a table `issue_statuses`.
  package var isCount = false
  /// Whether its table's name consists of other tables' names, as `books_languages_link`: a join table.
  package var isInJoin = false
  /// Whether it is one of several columns of a unique key.
  package var isKeyPart = false
  /// Whether the values are evidence without the name.
  package var countsValues = false
  /// Whether it contains texts, which may hold more than a key: `tt:5`, or a list of keys.
  package var holdsTexts = false
  /// The column that names the table of each key.
  package var typeColumn: String?
  /// The column that names each value, as `meta_key` does for `meta_value`.
  package var settingColumn: String?

  /// Describes a column whose name points to the tables `named`.
  package init(named: [Named] = []) { self.named = named }

  /// A table that a column's name suggests.
  package struct Named: Sendable, Hashable {
    /// The root entity of the table.
    package var target: String
    /// The reason.
    package var reason: Reason

    /// Describes a table and the reason.
    package init(_ target: String, _ reason: Reason) {
      self.target = target
      self.reason = reason
    }
  }

  /// The reason why a name suggests a table.
  package enum Reason: Sendable, Hashable {
    /// It contains the table's name, as `author_id` does that of `authors`.
    case table
    /// Its last word is the table's name, as in `opener_visit`, which may have another meaning.
    case word
    /// It ends like a link, and the table's name begins with it, as `folderLocations` with `folderID`.
    case part
    /// It is the name of the table's key, as `rid`.
    case key
    /// It names a person by a role, as `created_by`, and the table contains persons.
    case person
    /// It names another row of the same table, as `parent`.
    case sameTable
    /// It names a kind of the table's rows, as `priority_id` if some of them are an `IssuePriority`.
    case rowKind
    /// A known program stores a key of the table under the name beside the value, as `_edit_last`.
    case setting
    /// The column's name suggests nothing, but the name of its table contains that of the table, as
    /// `books_languages_link`.
    case holder
  }
}
