internal import CDecantYAML

/// Reads YAML with libyaml, one event at a time.
///
/// libyaml keeps its state in its own lists, so that deep nesting does not grow the call stack. Positions are indices
/// of characters in the text, as libyaml counts them.
package final class YAMLParser {
  /// The next element of the text.
  package struct Event {
    package enum Kind {
      case document
      /// A text; a plain one has no quotes, “|” or “>”.
      case scalar(String, isPlain: Bool)
      case list
      case map
      /// The end of a list or a map.
      case end
      /// An alias.
      case alias
    }

    package var kind: Kind
    /// Its range, which may be empty for empty values, and for lists and maps without brackets.
    package var range: Range<Int>
    /// Whether it has an anchor or a tag.
    package var isMarked = false
  }

  /// The reason why reading failed.
  package enum Failure: Error {
    case noMemory
    case problem(Problem)
  }

  /// An error of libyaml for invalid YAML.
  package struct Problem {
    /// The message of libyaml.
    package var text: String
    /// The position at which the error was detected.
    package var index: Int
    /// The construct that libyaml was reading, such as “while scanning an anchor”; empty if unknown.
    package var context: String
    /// The position at which that construct begins.
    package var begin: Int
  }

  /// The text; libyaml reads it in place, so that its address must not change.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The number of characters.
  private let count: Int

  /// Creates a parser of a text; nothing is read.
  ///
  /// - Parameter scalars: The characters, without a byte order mark.
  /// - Throws: `Failure.noMemory`.
  package init(_ scalars: [Unicode.Scalar]) throws(Failure) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw .noMemory
    }
    let text = String(String.UnicodeScalarView(scalars)).utf8
    // libyaml requires an address even for an empty text.
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, text.count))
    _ = bytes.initialize(from: text)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, text.count)
    self.bytes = bytes
    self.parser = parser
    count = scalars.count
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    bytes.deallocate()
  }

  /// Returns the next event.
  ///
  /// - Returns: The event; `nil` at the end of the text.
  /// - Throws: `Failure`; nothing can be read after it.
  package func next() throws(Failure) -> Event? {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
      defer { yaml_event_delete(&event) }
      let begin = index(event.start_mark)
      let range = begin..<max(begin, index(event.end_mark))
      switch event.type {
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
      case YAML_DOCUMENT_START_EVENT: return Event(kind: .document, range: range)
      case YAML_ALIAS_EVENT: return Event(kind: .alias, range: range)
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return Event(
          kind: .scalar(String(decoding: text, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE),
          range: range,
          isMarked: scalar.anchor != nil || scalar.tag != nil
        )
      case YAML_SEQUENCE_START_EVENT:
        let list = event.data.sequence_start
        return Event(kind: .list, range: range, isMarked: list.anchor != nil || list.tag != nil)
      case YAML_MAPPING_START_EVENT:
        let map = event.data.mapping_start
        return Event(kind: .map, range: range, isMarked: map.anchor != nil || map.tag != nil)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return Event(kind: .end, range: range)
      default: return nil
      }
    }
  }

  private var failure: Failure {
    guard let text = parser.pointee.problem else { return .noMemory }
    let index = index(parser.pointee.problem_mark)
    let context = parser.pointee.context.map { String(cString: $0) }
    return .problem(
      Problem(
        text: String(cString: text),
        index: index,
        context: context ?? "",
        begin: context == nil ? index : self.index(parser.pointee.context_mark)
      )
    )
  }

  /// Returns the index of the character at `mark`, or of the end.
  private func index(_ mark: yaml_mark_t) -> Int { min(Int(mark.index), count) }
}
