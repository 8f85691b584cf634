internal import Decant
internal import JSON

/// A query's result as an array of JSON objects, a line each, written while it is read.
struct QueryJSON {
  private let stream: ResultStream
  private let names: [String]
  private var isEmpty = true

  init(_ columns: [QueryColumn], to stream: ResultStream) {
    self.stream = stream
    var taken: Set<String> = []
    names = columns.map { column in
      var name = column.name
      var number = 1
      while !taken.insert(name).inserted {
        number += 1
        name = "\(column.name) (\(number))"
      }
      return name
    }
  }

  /// Writes a row; false if nobody reads any more.
  mutating func add(_ row: [QueryValue]) throws -> Bool {
    // Member by member: a large text is written by itself.
    var texts = [isEmpty ? "[\n{" : ",\n{"]
    for (position, value) in row.enumerated() {
      texts += [position == 0 ? "" : ",", JSONValue.string(names[position]).text, ":"]
      texts.append(value.json.text)
    }
    isEmpty = false
    return try stream.write(texts + ["}"])
  }

  /// Ends the array.
  func end() throws {
    _ = try stream.write(isEmpty ? "[]\n" : "\n]\n")
  }
}

extension QueryValue {
  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    // JSON has no number for these, and null would say that there is none.
    case .double(let double): double.isFinite ? .number(double) : .string(double.finiteText)
    case .float(let float):
      float.isFinite ? .number(Double("\(float)") ?? Double(float)) : .string(cellText)
    case .boolean(let isTrue): .bool(isTrue)
    case .date(let seconds): DateText.text(of: seconds).map { .string($0) } ?? seconds.json
    case .text(let text): .string(text)
    case .uuid: .string(cellText)
    case .bytes(let summary): summary.json
    }
  }
}

extension Double {
  /// The seconds of a date too far away for a calendar.
  fileprivate var json: JSONValue {
    if let whole = Int64(exactly: self) { return .integer(whole) }
    return isFinite ? .number(self) : .string(finiteText)
  }
}

extension ByteSummary {
  fileprivate var json: JSONValue {
    .object([
      ("bytes", byteCount.map { .integer($0) } ?? .null),
      ("type", image.map { .string($0.mediaType) } ?? .null),
    ])
  }
}
