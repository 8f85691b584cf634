internal import ArgumentParser
internal import DecantBase
internal import DecantPlan

/// The options for matching the objects of two stores, used by `merge` and `diff`.
struct PairingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The attributes that identify the objects of ENTITY.",
      discussion: .detail(
        """
        They may include to-one relationships. The default is what the model declares unique, else a UUID, else the \
        key if one store is a copy of the other or both are copies of a third, else all values of the object. \
        'ENTITY: none' ignores UUIDs. May be repeated.
        """
      ),
      valueName: "ENTITY: ATTRIBUTE, …"
    ),
    completion: .entityAndAttributes,
    transform: IdentityArgument.init(argument:)
  )
  var identity: [IdentityArgument] = []

  @Flag(
    help: ArgumentHelp(
      "One store is a copy of the other, or both are copies of a third: equal keys are the same object.",
      visibility: .rare
    )
  )
  var sameLineage = false

  @Flag(help: ArgumentHelp("Neither store is a copy of the other: equal keys mean nothing.", visibility: .rare))
  var noLineage = false

  /// Whether any of these options was given.
  var isSaid: Bool { !identity.isEmpty || sameLineage || noLineage }

  func validate() throws {
    if sameLineage, noLineage {
      throw ValidationError("--same-lineage and --no-lineage contradict each other")
    }
    var names: Set<String> = []
    for entity in identity.map(\.entity) where !names.insert(entity).inserted {
      throw ValidationError("--identity names \(entity) twice: list all its attributes in one")
    }
  }

  /// Adds these options to `rules`.
  func enter(_ rules: inout MergeRules) {
    for argument in identity {
      if argument.names == ["none"] {
        rules.withoutIdentity.insert(argument.entity)
      } else {
        rules.identities[argument.entity] = argument.names
      }
    }
    if sameLineage { rules.lineage = .same }
    if noLineage { rules.lineage = .none }
  }
}

/// The identity of an entity's objects.
struct IdentityArgument: Sendable, Hashable {
  var entity: String
  var names: [String]

  /// Parses `Entity: name, name`.
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1).map { $0.trimmed }
    names = (parts.last ?? "").split(separator: ",").map { $0.trimmed }
    guard parts.count == 2, !parts[0].isEmpty, !names.isEmpty, !names.contains("") else {
      throw ValidationError("write the identity as 'Entity: attribute, attribute', like 'Recipe: uuid'")
    }
    entity = parts[0]
  }
}
