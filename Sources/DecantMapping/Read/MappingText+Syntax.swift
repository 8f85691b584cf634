internal import DecantBase
internal import DecantPlan
internal import DecantYAML

/// libyaml's errors for invalid YAML, explained to the author of the text.
extension MappingText {
  /// The message and the remedy for an error.
  private struct Advice {
    var message: String
    var remedy: String
    /// Whether the error is reported at the beginning of the faulty construct, instead of where it was detected.
    var isAtBegin = false
  }

  /// Returns the error for `failure`.
  func mistake(_ failure: YAMLParser.Failure) -> DecantError {
    switch failure {
    case .problem(let problem): mistake(problem)
    case .noMemory:
      DecantError(
        .systemFailed,
        "not enough memory to read “\(mapping.place)”",
        remedy: "close other programs"
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
      // The value begins with its anchor or its tag.
      if scalar(at: begin) == "!" { return tagged(begin) }
      if scalar(at: begin) == "&" { return aliased(begin) }
      if scalar(at: mark) == "?" { return aliased(mark) }
    }
    let advice =
      if context.hasSuffix("directive") || text.contains("%") || text.contains("YAML doc") {
        Advice(
          message: "a \(mapping.word) cannot use directives (“%”)",
          remedy: "remove it, or put the text in quotes",
          isAtBegin: true
        )
      } else {
        structure(text, begin, mark) ?? character(text, mark) ?? quoted(text, mark)
          ?? Advice(message: "invalid YAML: \(text)", remedy: "put the text in quotes")
      }
    return mapping.mistake(advice.message, at: advice.isAtBegin ? begin : mark, remedy: advice.remedy)
  }

  /// Returns the position at which `problem` is reported.
  private func place(of problem: YAMLParser.Problem) -> Mapping.Mark {
    switch problem.text {
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      // The position of the backslash, as for other escapes, instead of the one after its letter.
      lines.mark(at: problem.index - 2)
    default: lines.mark(at: problem.index)
    }
  }

  /// Returns the advice for an error in the structure of lists and maps.
  private func structure(_ problem: String, _ begin: Mapping.Mark, _ mark: Mapping.Mark) -> Advice? {
    let place = "that starts at \(begin.line):\(begin.column)"
    let quoting = "put text that contains brackets, commas, quotes, “: ” or “ #” in quotes"
    switch problem {
    case "could not find expected ':'":
      return Advice(
        message: "missing “:” after this key",
        remedy: "write “key: value”, with a space after the colon",
        isAtBegin: true
      )
    case "mapping values are not allowed in this context":
      return Advice(
        message: "unexpected “:”",
        remedy: "put text that contains “: ” in quotes, or check the indentation"
      )
    case "block sequence entries are not allowed in this context":
      return Advice(
        message: "a list item cannot start here",
        remedy: "start each item on its own line, or write [ …, … ]"
      )
    case "did not find expected node content" where lines.index(of: mark) == nil:
      return Advice(message: "the file ends in the middle of a list or map", remedy: "close the brackets")
    case "did not find expected node content":
      return Advice(message: "a value is missing here", remedy: quoting)
    case "did not find expected '-' indicator":
      return Advice(
        message: "the list \(place): expected an item with “- ”",
        remedy: "check the indentation"
      )
    case "did not find expected key":
      return Advice(
        message: "the map \(place): expected a key",
        remedy: "check the indentation; \(quoting)"
      )
    case "did not find expected ',' or ']'":
      return Advice(message: "the list \(place): expected “,” or “]”", remedy: quoting)
    case "did not find expected ',' or '}'":
      return Advice(message: "the map \(place): expected “,” or “}”", remedy: quoting)
    default: return nil
    }
  }

  /// Returns the advice for an invalid character.
  private func character(_ problem: String, _ mark: Mapping.Mark) -> Advice? {
    let scalar = scalar(at: mark)
    let isTab = problem.contains("a tab character")
    if isTab || (scalar == "\t" && problem == "found character that cannot start any token") {
      return Advice(message: "indentation contains a tab", remedy: "use spaces instead")
    }
    switch problem {
    case "found character that cannot start any token":
      return Advice(
        message: "text cannot start with “\(scalar.map(String.init) ?? "")”",
        remedy: "put it in quotes"
      )
    case "found unexpected ':'":
      return Advice(message: "unexpected “:”", remedy: "put the text in quotes")
    case "did not find expected comment or line break":
      return Advice(
        message: "nothing can follow “|” or “>” on its line",
        remedy: "start the text on the next line, or put the whole expression in quotes"
      )
    case "found an indentation indicator equal to 0":
      return Advice(message: "text after “|” or “>” cannot have an indentation of 0", remedy: "remove the digit")
    default: return nil
    }
  }

  /// Returns the advice for an error in a quoted text.
  private func quoted(_ problem: String, _ mark: Mapping.Mark) -> Advice? {
    switch problem {
    case "found unexpected end of stream", "found unexpected document indicator":
      Advice(
        message: "the quote that starts here is not closed",
        remedy:
          "close it; inside the string, double the quote in '…', or write \\ before it in \"…\"",
        isAtBegin: true
      )
    case "found unknown escape character":
      Advice(
        message: "unknown escape after “\\” in double quotes",
        remedy: "write \\\\ for a backslash, or use single quotes"
      )
    case "did not find expected hexdecimal number":
      Advice(
        message: "\\x, \\u and \\U require 2, 4 and 8 hexadecimal digits",
        remedy: "write \\\\ for a plain “\\”, or use single quotes"
      )
    case "found invalid Unicode character escape code":
      Advice(
        message: "this escape is not a character, or is half of a surrogate pair",
        remedy: "write the character itself: JSON surrogate pairs (two \\u) are not supported"
      )
    default: nil
    }
  }
}
