/// The outcome for recipe files.
extension CopyReport {
  /// The counts of recipes in files: each recipe found is in exactly one of the other counts.
  public struct RecipeCounts: Sendable, Hashable, Encodable {
    /// All recipes, and parts of files that should be one.
    public var found: Int64
    /// Recipes that were added.
    public var taken: Int64
    /// Recipes that the store contains already, that a policy leaves as they are, or that occur several times.
    public var alreadyThere: Int64
    /// Recipes of the store that took values of the file.
    public var changed: Int64
    /// Recipes that cannot be read or stored.
    public var damaged: Int64
    /// Recipes that did not match a condition.
    public var leftOut: Int64

    /// Takes the counts from the report of the recipes' entity.
    package init(_ report: EntityReport) {
      (found, taken, alreadyThere) = (report.source, report.copied, report.skipped)
      (changed, damaged, leftOut) = (report.updated, report.rejected, report.filtered)
    }
  }

  /// Something in a file that could not be read, or that has a remark.
  public struct Unread: Sendable, Hashable {
    /// The file as named by the user, and the entry in it if it contains several.
    public var file: String
    public var entry: String?
    public var reason: String
    /// The confidence of a remark on a recipe that was read from a page's layout: `high`, `medium` or `low`.
    public var confidence: String?

    /// Describes something that was not read.
    package init(file: String, entry: String?, reason: String, confidence: String? = nil) {
      self.file = file
      self.entry = entry
      self.reason = reason
      self.confidence = confidence
    }
  }
}
