internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer
internal import DecantSystem

/// Shell completion of names in the store on the command line.
///
/// In bash, a value with a colon or a blank has to begin with a quote, or only the part after the colon is completed.
extension CompletionKind {
  /// The name of an entity.
  static var entity: CompletionKind {
    .names { model, _ in model.entities.map(\.name) }
  }

  /// Values such as `Entity: attribute`, and further attributes after that, as in a condition.
  static var entityAndAttributes: CompletionKind {
    .names { model, typed in
      typed.completed(with: ": ", of: model.entities.map(\.name)) { model.propertyNames(of: $0) }
    }
  }

  /// Values such as `Entity.attribute`.
  static var property: CompletionKind {
    .names { model, typed in
      typed.completed(with: ".", of: model.entities.map(\.name)) { model.propertyNames(of: $0) }
    }
  }

  /// Values such as `Entity.relationship=rule`.
  static var rule: CompletionKind {
    .names { model, typed in
      typed.completed(with: ".", of: model.entities.map(\.name)) { name in
        model.relationships(of: name).flatMap { relationship in
          ClosureRule.allCases.map { "\(relationship.name)=\($0.rawValue)" }
        }
      }
    }
  }

  /// A policy, or one for an entity, such as `Entity: skip`.
  static var policy: CompletionKind {
    let policies = MergePolicy.allCases.map(\.rawValue)
    return .custom { words, position, typed in
      let names = Model.onLine(words, but: position)?.entities.map(\.name) ?? []
      let own = typed.inShell(words, position).completed(with: ": ", of: names) { _ in policies }
      return (policies + own).map(\.escapedForShell)
    }
  }

  /// Returns a completion by `names` for the store's model and the typed text; none without a store.
  private static func names(_ names: @Sendable @escaping (Model, String) -> [String]) -> CompletionKind {
    .custom { words, position, typed in
      let model = Model.onLine(words, but: position)
      return model.map { names($0, typed.inShell(words, position)).map(\.escapedForShell) } ?? []
    }
  }
}

extension Model {
  /// Returns the names of an entity's attributes and to-one relationships.
  fileprivate func propertyNames(of entity: String) -> [String] {
    attributes(of: entity).map(\.name)
      + relationships(of: entity).filter { !$0.isToMany }.map(\.name)
  }

  /// Reads the model of the first store in `words`, or of the store given by `--store`; `nil` without a store.
  ///
  /// A store that cannot be read is not reported, since a completion has no place for a message.
  ///
  /// - Parameters:
  ///   - words: The words of the command line, as typed.
  ///   - position: The index of the word that is being completed.
  /// - Returns: The model.
  fileprivate static func onLine(_ words: [String], but position: Int) -> Model? {
    // The first word is the program.
    var places = words.enumerated().dropFirst().filter { $0.offset != position }
      .map(\.element.unquoted)
    if let option = places.firstIndex(of: "--store"), option + 1 < places.count {
      places = [places[option + 1]]
    }
    for place in places where !place.hasPrefix("-") {
      if let model = try? of(StoreKinds.location(place)) { return model }
    }
    return nil
  }

  private static func of(_ location: StoreLocation) throws(DecantError) -> Model? {
    guard FileStatus(location.place)?.isFile == true else { return nil }
    let kind = try StoreKinds.known.find(location)
    guard kind.abilities.contains(.isDatabase) else {
      return kind.name == StoreKinds.archive
        ? try kind.model(of: location, options: CopyOptions()) : nil
    }
    return try kind.openSource(location, facing: nil, options: CopyOptions()).model
  }
}

extension String {
  /// Returns all completions of this typed text: a name, `separator` and a word that belongs to the name; after words
  /// that are complete already, one more word.
  ///
  /// While several names are possible, only names are offered: a shell inserts a single completion as the whole value.
  fileprivate func completed(with separator: String, of names: [String], _ words: (String) -> [String]) -> [String] {
    let sign = separator.prefix(1)
    if let end = firstRange(of: sign)?.lowerBound, names.contains(String(self[..<end])) {
      let word = self[...].reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.count
      let before = String(dropLast(word))
      let start = before.hasSuffix(sign) ? before + separator.dropFirst() : before
      return words(String(self[..<end])).map { start + $0 }
    }
    let fitting = names.filter { $0.hasPrefix(self) }
    guard fitting.count == 1, let name = fitting.first else { return fitting.map { $0 + sign } }
    return words(name).map { name + separator + $0 }
  }

  /// The text as required by the requesting shell: in zsh a colon separates a description.
  fileprivate var escapedForShell: String {
    CompletionShell.requesting == .zsh ? replacing(":", with: "\\:") : self
  }

  /// Returns the typed part of the word at `position`, without its opening quote.
  ///
  /// For zsh the whole word is used, since its script passes only the characters after the last blank.
  fileprivate func inShell(_ words: [String], _ position: Int) -> String {
    let isCut = CompletionShell.requesting == .zsh && words.indices.contains(position)
    let typed = isCut ? words[position] : self
    return typed.hasPrefix("'") || typed.hasPrefix("\"") ? String(typed.dropFirst()) : typed
  }

  /// The text as a shell would expand it: without quotes and backslashes, and with the home folder for `~`.
  fileprivate var unquoted: String {
    var text = ""
    var isEscaped = false
    for letter in self {
      if isEscaped || !["'", "\"", "\\"].contains(letter) { text.append(letter) }
      isEscaped = !isEscaped && letter == "\\"
    }
    guard text.hasPrefix("~/"), let home = getenv("HOME") else { return text }
    return String(cString: home) + text.dropFirst()
  }
}
