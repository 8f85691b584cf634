public import DecantBase
internal import DecantRecipeFormats
public import DecantRecipes

/// The result of a job on the recipes of a store.
public struct RecipesReport: Sendable, Hashable {
  /// A recipe in a list.
  public struct Line: Sendable, Hashable {
    /// Its key in the store.
    public let id: Int64
    public let title: String
    /// A rating above 0 and up to 5.
    public let rating: Double?
    public let categories: [String]
    /// The site, the book or the person it comes from.
    public let source: String?
    /// The address of the page it comes from.
    public let url: String?

    /// Describes a recipe.
    package init(
      id: Int64,
      title: String,
      rating: Double? = nil,
      categories: [String] = [],
      source: String? = nil,
      url: String? = nil
    ) {
      (self.id, self.title, self.rating) = (id, title, rating)
      (self.categories, self.source, self.url) = (categories, source, url)
    }

    /// The source, otherwise the site of its page.
    package var origin: String? {
      source ?? url.flatMap(PageAddress.normalized).map { String($0.prefix { $0 != "/" && $0 != "?" }) }
    }
  }

  /// A field that was edited, with its value before and after; `nil` for an empty value.
  public struct Change: Sendable, Hashable {
    public let field: String
    public let before: String?
    public let after: String?

    /// Describes a change.
    package init(field: String, before: String?, after: String?) {
      (self.field, self.before, self.after) = (field, before, after)
    }

    init(_ change: RecipeEdit.Change) { (field, before, after) = (change.field, change.before, change.after) }
  }

  /// The number of objects of one kind that a recipe owns.
  public struct Part: Sendable, Hashable {
    /// The entity of the objects: `Ingredient`.
    public let entity: String
    public let count: Int64

    /// Describes the parts of one kind.
    package init(_ entity: String, _ count: Int64) { (self.entity, self.count) = (entity, count) }
  }

  /// The store, as the user named it.
  public var store: String
  /// The job, in a word.
  public var job: String
  /// The recipes concerned, in the order in which they are listed.
  public var recipes: [Line] = []
  /// The requested recipe, with its lines.
  public var recipe: RecipeDocument?
  /// The text of the requested recipe; not part of the document.
  public var text = ""
  /// The path of the page that was written.
  public var page: String?
  /// The edited fields.
  public var changed: [Change] = []
  /// The objects that the recipe owns and that are deleted with it.
  public var parts: [Part] = []
  /// Whether nothing was written.
  public var isDryRun = false
  /// Whether a person was asked whether to delete, and declined.
  public var isDeclined = false
  /// Notes for the reader.
  public var notes: [ReportNote] = []

  /// Creates the report of a job that has not begun.
  package init(_ store: String, _ job: String) { (self.store, self.job) = (store, job) }
}

extension RecipesReport: Encodable {
  /// Encodes the document of `decant recipes`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "recipes",
      [
        ("store", store), ("task", job), ("recipes", recipes), ("recipe", recipe), ("page", page),
        ("changed", changed), ("parts", DocumentMembers(parts.map { ($0.entity, $0.count) })), ("dryRun", isDryRun),
        ("declined", isDeclined),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension RecipesReport.Change: Encodable {
  /// Encodes missing values as `null`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("field", field), ("before", before), ("after", after)]).encode(to: encoder)
  }
}

extension RecipesReport.Line: Encodable {
  /// Encodes missing values as `null`.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("id", id), ("title", title), ("rating", rating), ("categories", categories), ("source", source), ("url", url),
    ]).encode(to: encoder)
  }
}
