internal import DecantBase

/// What a model or a schema says of one direction of a relationship, and what follows for `--root`.
struct LinkTraits {
  /// Whether an object may have several such links.
  var isToMany = false
  /// Whether an object cannot be without one.
  var isRequired = false
  /// Whether the objects that are led to are deleted along with the one that leads there.
  var takesAlong = false
  /// Whether the object that leads there is deleted along with what it leads to.
  var isTakenAlong = false
  /// Whether only tables tell: a plain database, in which objects have no identity but their keys.
  var isFromTables = false

  /// What is taken along unless somebody says otherwise.
  var rule: ClosureRule {
    if takesAlong || isRequired { return .follow }
    if isToMany { return .stop }
    // A plain database has nothing by which a reference could be found again: without its category a recipe
    // would have none. But what owns a part would come with all its other parts.
    return isFromTables && !isTakenAlong ? .follow : .reference
  }
}
