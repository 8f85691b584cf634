internal import DecantBase

/// The properties of one direction of a relationship in a model or schema, and the resulting default for `--root`.
struct LinkTraits {
  /// Whether an object may have several links of this kind.
  var isToMany = false
  /// Whether an object must have such a link.
  var isRequired = false
  /// Whether deleting the object also deletes the link targets.
  var takesAlong = false
  /// Whether deleting the link target also deletes the object.
  var isTakenAlong = false
  /// Whether it comes from a plain database, in which objects have no identity except their keys.
  var isFromTables = false

  /// Whether it leads to parts, other than one that the object requires itself.
  var isToParts: Bool { takesAlong && (isToMany || !isRequired) }

  /// The traits of a direction that is never followed by default.
  static let stopped = LinkTraits(isToMany: true)

  /// The default rule.
  var rule: ClosureRule {
    if takesAlong || isRequired { return .follow }
    if isToMany { return .stop }
    // A plain database has no identity by which a reference could be resolved later: without its category, a recipe
    // would lose the link. An owner, however, would bring all of its other parts with it.
    return isFromTables && !isTakenAlong ? .follow : .reference
  }
}
