internal import JSON

/// One conflict as the file of conflicts has it: a line of JSON, described on the manual's page “Conflicts”.
struct ConflictLine {
  /// What kind of conflict it is.
  enum Kind: String, CaseIterable {
    /// Both have changed an attribute, or a link to one object, to different values.
    case value
    /// One has removed what the other has changed.
    case deleted
    /// Two objects that were paired by their key or content differ, and there is no base.
    case pair
  }

  let kind: Kind
  let entity: String
  /// The object's key in the destination and in the source; `null` where that does not have it.
  let mine, theirs: JSONValue
  let title: String?
  /// What else tells the conflict: its names and values, in the order of the line.
  let details: [(String, JSONValue)]
  /// The decision that was made, as JSON text; `nil` where there is none.
  var decision: String?

  /// The text of the line, without its end.
  var text: String {
    var members: [(String, JSONValue)] = [
      ("kind", .string(kind.rawValue)), ("entity", .string(entity)),
      ("key", .object([("mine", mine), ("theirs", theirs)])),
      ("title", title.map { .string($0) } ?? .null),
    ]
    members += details
    if kind == .pair { members.append(("same", .null)) }
    var text = JSONValue.object(members).text
    text.removeLast()
    return text + ",\"take\":\(decision ?? "null")}"
  }
}
