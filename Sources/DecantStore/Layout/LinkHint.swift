/// What names say of a column that may hold keys although nothing declares it.
///
/// Names alone are no evidence: the values are read before anybody is asked.
package struct LinkHint: Sendable, Hashable {
  /// The tables that the column's name points to, likeliest first.
  package var named: [Named]
  /// Those of them that the name points to as much as to others.
  package var tied: Set<String> = []
  /// Whether the name tells of the row above in a tree, of which one row at least has none.
  package var isParent = false
  /// The tables whose names it may shorten, as `nid` does `notes`: that alone is no evidence.
  package var shortened: Set<String> = []
  /// Whether the name ends as names of links do.
  package var isLinkLike = false
  /// Whether the name says that it is a link, as `book_fk` does.
  package var isForeignKey = false
  /// Whether the name is a word for a count or a state, as `status` is beside a table `issue_statuses`.
  package var isCount = false
  /// Whether the name of its table is made of those of others, as `books_languages_link` is: its rows join theirs.
  package var isInJoin = false
  /// Whether the values are evidence without the name.
  package var countsValues = false
  /// Whether it holds texts, which may be more than a key: `tt:5`, or a list of keys.
  package var holdsTexts = false
  /// The column beside it that names the table of each key.
  package var typeColumn: String?
  /// The column beside it that names what each value is, as `meta_key` does beside `meta_value`.
  package var settingColumn: String?

  /// Describes a column whose name points to the tables `named`.
  package init(named: [Named] = []) { self.named = named }

  /// A table that a column's name points to.
  package struct Named: Sendable, Hashable {
    /// The root entity of the table.
    package var target: String
    /// Why.
    package var reason: Reason

    /// Pairs a table with the reason why it is meant.
    package init(_ target: String, _ reason: Reason) {
      self.target = target
      self.reason = reason
    }
  }

  /// Why a name points to a table.
  package enum Reason: Sendable, Hashable {
    /// It contains the table's name, as `author_id` does that of `authors`.
    case table
    /// Its last word is the table's name, as in `opener_visit`, which may be something else.
    case word
    /// It is the name of the table's key, as `rid`.
    case key
    /// It names a person by a role, as `created_by`, and the table holds persons.
    case person
    /// It names another row of the same table, as `parent`.
    case sameTable
    /// It names what the rows of the table are, as `priority_id` where some of these are an `IssuePriority`.
    case rowKind
    /// A known program keeps a key of the table under the name that stands beside the value, as `_edit_last`.
    case setting
    /// The name says nothing, but that of the column's table contains the table's, as `books_languages_link`.
    case holder
  }
}
