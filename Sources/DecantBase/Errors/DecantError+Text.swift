extension DecantError {
  /// A text for people in which options and commands are values, so that the presenter decides how to write them.
  package struct Text: Hashable, Sendable {
    fileprivate enum Part: Hashable, Sendable {
      case words(String)
      case option(Option, String?, isSaid: Bool)
      /// One text for the user of a shell, another for an app.
      case either(shell: Text, app: Text)

      var commandLine: String {
        switch self {
        case .words(let words): words
        case .option(let option, let value, _):
          "--" + [option.rawValue, value?.shellWord].compactMap { $0 }.joined(separator: " ")
        case .either(let shell, _): shell.commandLine
        }
      }

      var description: String {
        switch self {
        case .words(let words): words
        case .option(let option, let value, _):
          "“\([option.rawValue, value].compactMap { $0 }.joined(separator: " "))”"
        case .either(_, let app): app.description
        }
      }
    }

    fileprivate var parts: [Part]

    fileprivate init(parts: [Part]) { self.parts = parts }

    /// Creates a text that names no option and no command.
    package init(_ words: String) { parts = [.words(words.withoutPasswords)] }

    /// The text for the user of a shell: `--merge skip`, `decant inspect Kitchen.sqlite`.
    package var commandLine: String { parts.map { $0.commandLine }.joined() }

    /// The remedies that the text suggests, including those in commands.
    package var saidOptions: [Remedy] {
      parts.flatMap { part -> [Remedy] in
        switch part {
        case .words: return []
        case .option(let option, let value, let isSaid): return isSaid ? [Text.remedy(option, value)] : []
        case .either(let shell, _): return shell.saidOptions
        }
      }
    }

    private static func remedy(_ option: Option, _ value: String?) -> Remedy {
      switch (option, value) {
      case (.resume, _): .resume
      case (.restart, _): .startOver
      case (.model, nil): .nameModel
      case (.mapping, nil): .giveMapping
      default: .setOption(option, value)
      }
    }

    /// Returns whether the text, or a command in it, names `option`.
    package func names(_ option: Option) -> Bool {
      parts.contains { part in
        switch part {
        case .words: return false
        case .option(let named, _, _): return named == option
        case .either(let shell, _): return shell.names(option)
        }
      }
    }
  }
}

extension DecantError.Text: CustomStringConvertible {
  /// The text for an app: `“merge skip”`, `an inspection of the store`.
  package var description: String { parts.map { $0.description }.joined() }
}

extension DecantError.Text: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) { self.init(words) }

  package init(stringInterpolation: StringInterpolation) {
    self.init(parts: stringInterpolation.parts)
  }

  /// Collects words, options and commands.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) { append(words) }

    package mutating func appendInterpolation(_ value: some Any) { append("\(value)") }

    package mutating func appendInterpolation(_ text: DecantError.Text) { parts += text.parts }

    /// Names an option, with the value that is or was given.
    package mutating func appendInterpolation(option: DecantError.Option, _ value: String? = nil) {
      parts.append(.option(option, value?.withoutPasswords, isSaid: false))
    }

    /// Suggests an option, with its value if known.
    package mutating func appendInterpolation(say option: DecantError.Option, _ value: String? = nil) {
      parts.append(.option(option, value?.withoutPasswords, isSaid: true))
    }

    /// Names a command: the words after `decant`, and the text that an app shows in its place.
    ///
    /// For `"find them with \(command: "query Kitchen.sqlite", app: "a query")"` a shell shows `find them with decant
    /// query Kitchen.sqlite`, and an app shows `find them with a query`.
    package mutating func appendInterpolation(command: DecantError.Text, app: DecantError.Text) {
      appendInterpolation(shell: "decant \(command)", app: app)
    }

    /// Adds one text for the user of a shell and another for an app.
    ///
    /// For `"\(shell: "“decant diff”", app: "a diff") lists them"` a shell shows `“decant diff” lists them`, and an app
    /// shows `a diff lists them`.
    package mutating func appendInterpolation(shell: DecantError.Text, app: DecantError.Text) {
      parts.append(.either(shell: shell, app: app))
    }

    private mutating func append(_ words: String) {
      guard !words.isEmpty else { return }
      guard case .words(let before) = parts.last else {
        return parts.append(.words(words.withoutPasswords))
      }
      parts[parts.count - 1] = .words((before + words).withoutPasswords)
    }
  }
}

extension DecantError.Text {
  /// Suggests to run the operation again: `run the same command again`, in an app `try again`.
  ///
  /// It is a remedy of its own, as in `remedy: .again`, or part of one: `"free some space, then \(.again)"`.
  package static let again: Self = "\(shell: "run the same command again", app: "try again")"

  /// Suggests to run the operation again with an option: `run the same command with --resume`, in an app `try again
  /// with “resume”`.
  ///
  /// The option becomes a remedy: `"\(.again(with: .resume)) to continue"` has the remedy `.resume`.
  package static func again(with option: DecantError.Option) -> Self {
    "\(shell: "run the same command with \(say: option)", app: "try again with \(say: option)")"
  }

  /// The same without “again”, as in `create it again, then run the same command`.
  package static let retry: Self = "\(shell: "run the same command", app: "try again")"

  /// The same with other options or at another time: `run the command again without --rejects`.
  package static let againOtherwise: Self = "\(shell: "run the command again", app: "try again")"

  /// Whether the text suggests to run the operation again without a change.
  package var saysAgain: Bool { parts.contains { (Self.again.parts + Self.retry.parts).contains($0) } }
}

extension DecantError.Text {
  package static func + (a: Self, b: Self) -> Self { Self(parts: a.parts + b.parts) }

  package static func += (a: inout Self, b: Self) { a = a + b }
}

extension [DecantError.Text] {
  /// Returns all texts as one, separated by `separator`.
  package func joined(separator: DecantError.Text = "") -> DecantError.Text {
    guard var text = first else { return "" }
    for next in dropFirst() { text += separator + next }
    return text
  }
}

extension DecantError.Text {
  /// Returns the text with `words` replaced by `others`, except where they span an option or the end of a command.
  package func replacing(_ words: String, with others: String) -> Self {
    Self(
      parts: parts.map { part in
        switch part {
        case .words(let own): return .words(own.replacing(words, with: others))
        case .option: return part
        case .either(let shell, let app):
          return .either(shell: shell.replacing(words, with: others), app: app.replacing(words, with: others))
        }
      }
    )
  }
}
