internal import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer
internal import DecantSystem

/// What a shell offers where a value names something in a store: the names in the store on the line.
///
/// In bash a value with a colon or a blank has to be begun with a quote, as bash completes only what is behind a colon else.
extension CompletionKind {
  /// The name of an entity.
  static var entity: CompletionKind {
    .names { model, _ in model.entities.map(\.name) }
  }

  /// As in `Entity: attribute`, and further attributes behind it, as in a condition.
  static var entityAndAttributes: CompletionKind {
    .names { model, typed in
      typed.completed(with: ": ", of: model.entities.map(\.name)) { model.propertyNames(of: $0) }
    }
  }

  /// As in `Entity.attribute`.
  static var property: CompletionKind {
    .names { model, typed in
      typed.completed(with: ".", of: model.entities.map(\.name)) { model.propertyNames(of: $0) }
    }
  }

  /// As in `Entity.relationship=rule`.
  static var rule: CompletionKind {
    .names { model, typed in
      typed.completed(with: ".", of: model.entities.map(\.name)) { name in
        model.relationships(of: name).flatMap { relationship in
          ClosureRule.allCases.map { "\(relationship.name)=\($0.rawValue)" }
        }
      }
    }
  }

  /// A policy, or one for an entity, as in `Entity: skip`.
  static var policy: CompletionKind {
    let policies = MergePolicy.allCases.map(\.rawValue)
    return .custom { words, position, typed in
      let names = Model.onLine(words, but: position)?.entities.map(\.name) ?? []
      let own = typed.inShell(words, position).completed(with: ": ", of: names) { _ in policies }
      return (policies + own).map(\.escapedForShell)
    }
  }

  /// What `names` returns for the model of the store on the line, and what was typed; nothing without a store.
  private static func names(_ names: @Sendable @escaping (Model, String) -> [String]) -> CompletionKind {
    .custom { words, position, typed in
      let model = Model.onLine(words, but: position)
      return model.map { names($0, typed.inShell(words, position)).map(\.escapedForShell) } ?? []
    }
  }
}

extension Model {
  /// The attributes of an entity, and the relationships to one object.
  fileprivate func propertyNames(of entity: String) -> [String] {
    attributes(of: entity).map(\.name)
      + relationships(of: entity).filter { !$0.isToMany }.map(\.name)
  }

  /// Reads the model of the first store that `words` name, or of that of `--store`; `nil` where there is none.
  ///
  /// Nothing is told of one that cannot be read: a shell that completes has no place for it.
  ///
  /// - Parameters:
  ///   - words: The command line, each word as it was typed.
  ///   - position: Which of them is being completed.
  /// - Returns: The model.
  fileprivate static func onLine(_ words: [String], but position: Int) -> Model? {
    // The first is the program.
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
  /// Returns all texts that this one, which was typed so far, can go on as: a name, `separator`, and a word that belongs to
  /// the name; behind further words that were typed already, one more.
  ///
  /// A name alone is offered while it may still be another one: a shell takes a single text for the whole value.
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

  /// As the shell that asks takes it: for zsh a description follows a colon.
  fileprivate var escapedForShell: String {
    CompletionShell.requesting == .zsh ? replacing(":", with: "\\:") : self
  }

  /// What was typed of the word at `position`, without the quote that it begins with.
  ///
  /// The script for zsh counts only the letters behind the last blank of a quoted word: for zsh the whole word counts.
  fileprivate func inShell(_ words: [String], _ position: Int) -> String {
    let isCut = CompletionShell.requesting == .zsh && words.indices.contains(position)
    let typed = isCut ? words[position] : self
    return typed.hasPrefix("'") || typed.hasPrefix("\"") ? String(typed.dropFirst()) : typed
  }

  /// What a shell makes of it: without quotes and backslashes, `~` as the home.
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
