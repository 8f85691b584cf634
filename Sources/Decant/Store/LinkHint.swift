/// What names say of a column that may hold keys although nothing declares it.
///
/// Names alone are no evidence: the values are read before anybody is asked.
public struct LinkHint: Sendable, Hashable {
  /// The tables that the column's name points to, likeliest first.
  public var named: [Named]
  /// The tables whose names it may shorten, as `nid` does `notes`: that alone is no evidence.
  public var shortened: Set<String> = []
  /// Whether the name ends as names of links do.
  public var isLinkLike = false
  /// Whether the name says that it is a link, as `book_fk` does.
  public var isForeignKey = false
  /// Whether the name is a word for a count or a state, as `status` is beside a table `issue_statuses`.
  public var isCount = false
  /// Whether the name of its table is made of those of others, as `books_languages_link` is: its rows join theirs.
  public var isInJoin = false
  /// Whether the values are evidence without the name.
  public var countsValues = false
  /// The column beside it that names the table of each key.
  public var typeColumn: String?
  /// The column beside it that names what each value is, as `meta_key` does beside `meta_value`.
  public var settingColumn: String?

  /// Describes a column whose name points to the tables `named`.
  public init(named: [Named] = []) { self.named = named }

  /// A table that a column's name points to.
  public struct Named: Sendable, Hashable {
    /// The root entity of the table.
    public var target: String
    /// Why.
    public var reason: Reason

    /// Pairs a table with the reason why it is meant.
    public init(_ target: String, _ reason: Reason) {
      self.target = target
      self.reason = reason
    }
  }

  /// Why a name points to a table.
  public enum Reason: Sendable, Hashable {
    /// It contains the table's name, as `author_id` does that of `authors`.
    case table
    /// It is the name of the table's key, as `rid`.
    case key
    /// It names a person by a role, as `created_by`, and the table holds persons.
    case person
    /// It names another row of the same table, as `parent`.
    case sameTable
    /// It names what the rows of the table are, as `priority_id` where some of these are an `IssuePriority`.
    case rowKind
    /// The name says nothing, but that of the column's table contains the table's, as `books_languages_link`.
    case holder
  }
}
