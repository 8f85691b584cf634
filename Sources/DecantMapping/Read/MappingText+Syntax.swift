internal import DecantBase
internal import DecantPlan

/// What libyaml says of a text that is no YAML, in words for who wrote it.
extension MappingText {
  /// What is wrong, and what to do about it.
  private struct Advice {
    var message: String
    var remedy: String
    /// Whether the place is where the thing begins that went wrong, not where that showed.
    var isAtBegin = false
  }

  /// Returns what `failure` means.
  func mistake(_ failure: YAMLParser.Failure) -> DecantError {
    switch failure {
    case .problem(let problem): mistake(problem)
    case .noMemory:
      DecantError(
        .systemFailed,
        "there is no memory left to read “\(mapping.place)” with",
        remedy: "end other programs"
      )
    }
  }

  private func mistake(_ problem: YAMLParser.Problem) -> DecantError {
    let begin = lines.mark(at: problem.begin)
    let mark = place(of: problem)
    let (text, context) = (problem.text, problem.context)
    if context.hasSuffix("alias") || context.hasSuffix("anchor") { return aliased(begin) }
    if context.hasSuffix("a tag") || text.hasSuffix("tag handle") { return tagged(begin) }
    if text == "did not find expected <document start>" { return ended(mark) }
    if text == "mapping keys are not allowed in this context" { return aliased(mark) }
    if text == "did not find expected node content" {
      // What it was at is a value, and begins with its anchor or its tag.
      if scalar(at: begin) == "!" { return tagged(begin) }
      if scalar(at: begin) == "&" { return aliased(begin) }
      if scalar(at: mark) == "?" { return aliased(mark) }
    }
    let advice =
      if context.hasSuffix("directive") || text.contains("%") || text.contains("YAML doc") {
        Advice(
          message: "a line that begins with “%” says nothing to a \(mapping.word)",
          remedy: "remove it, or put the text into quotes",
          isAtBegin: true
        )
      } else {
        structure(text, begin, mark) ?? character(text, mark) ?? quoted(text, mark)
          ?? Advice(message: "this is no YAML: \(text)", remedy: "put the text into quotes")
      }
    return mapping.mistake(advice.message, at: advice.isAtBegin ? begin : mark, remedy: advice.remedy)
  }

  /// Returns where `problem` is to be told.
  private func place(of problem: YAMLParser.Problem) -> Mapping.Mark {
    switch problem.text {
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      // Where the backslash is, as with other escapes, not behind its letter.
      lines.mark(at: problem.index - 2)
    default: lines.mark(at: problem.index)
    }
  }

  /// What is wrong with how lists and maps are written.
  private func structure(_ problem: String, _ begin: Mapping.Mark, _ mark: Mapping.Mark) -> Advice? {
    let place = "that begins at \(begin.line):\(begin.column)"
    let quoting = "put texts with brackets, commas, quotes, “: ” or “ #” in them into quotes"
    switch problem {
    case "could not find expected ':'":
      return Advice(
        message: "there is no “:” behind this key",
        remedy: "write “key: value”, with a space behind the colon",
        isAtBegin: true
      )
    case "mapping values are not allowed in this context":
      return Advice(
        message: "a “:” cannot stand here",
        remedy: "put the text with “: ” in it into quotes, or check the indentation"
      )
    case "block sequence entries are not allowed in this context":
      return Advice(
        message: "an item of a list cannot begin here",
        remedy: "begin each item on a line of its own, or write [ …, … ]"
      )
    case "did not find expected node content" where lines.index(of: mark) == nil:
      return Advice(message: "the text ends in the middle of a list or a map", remedy: "close the brackets")
    case "did not find expected node content":
      return Advice(message: "a value is missing here", remedy: quoting)
    case "did not find expected '-' indicator":
      return Advice(
        message: "the list \(place) does not go on here: an item with “- ” is wanted",
        remedy: "check the indentation"
      )
    case "did not find expected key":
      return Advice(
        message: "the map \(place) does not go on here: a key is wanted",
        remedy: "check the indentation; \(quoting)"
      )
    case "did not find expected ',' or ']'":
      return Advice(message: "the list \(place) wants “,” or “]” here", remedy: quoting)
    case "did not find expected ',' or '}'":
      return Advice(message: "the map \(place) wants “,” or “}” here", remedy: quoting)
    default: return nil
    }
  }

  /// What is wrong with a character.
  private func character(_ problem: String, _ mark: Mapping.Mark) -> Advice? {
    let scalar = scalar(at: mark)
    let isTab = problem.contains("a tab character")
    if isTab || (scalar == "\t" && problem == "found character that cannot start any token") {
      return Advice(message: "a tab stands here, and lines are indented with spaces", remedy: "write spaces instead")
    }
    switch problem {
    case "found character that cannot start any token":
      return Advice(
        message: "a text cannot begin with “\(scalar.map(String.init) ?? "")”",
        remedy: "put it into quotes"
      )
    case "found unexpected ':'":
      return Advice(message: "a “:” cannot stand here", remedy: "put the text into quotes")
    case "did not find expected comment or line break":
      return Advice(
        message: "nothing can follow “|” or “>” on its line",
        remedy: "begin the text on the next line, or put all of an expression into quotes"
      )
    case "found an indentation indicator equal to 0":
      return Advice(message: "a text behind “|” or “>” cannot be indented by 0", remedy: "leave the digit away")
    default: return nil
    }
  }

  /// What is wrong with a text in quotes.
  private func quoted(_ problem: String, _ mark: Mapping.Mark) -> Advice? {
    switch problem {
    case "found unexpected end of stream", "found unexpected document indicator":
      Advice(
        message: "the quote that begins here has no end",
        remedy:
          "close it; a quote of the same kind within is doubled in '…' and gets a \\ in \"…\"",
        isAtBegin: true
      )
    case "found unknown escape character":
      Advice(
        message: "a “\\” means something else between double quotes",
        remedy: "write \\\\ for it, or use single quotes"
      )
    case "did not find expected hexdecimal number":
      Advice(
        message: "\\x, \\u and \\U want 2, 4 and 8 hexadecimal digits",
        remedy: "write \\\\ for a plain “\\”, or use single quotes"
      )
    case "found invalid Unicode character escape code":
      Advice(
        message: "this number is no character, or only half of one",
        remedy: "write the character itself: two \\u of JSON that make one together are not read"
      )
    default: nil
    }
  }
}
