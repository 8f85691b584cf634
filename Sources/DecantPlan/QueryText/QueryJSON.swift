internal import DecantBase64
internal import DecantBase
internal import DecantJSON

/// A query's result as JSON objects, one per line, written while it is read: as an array, or as separate lines.
struct QueryJSON: QueryDocument {
  private let query: QueryRows
  private let isArray: Bool
  private let names: [String]
  private var isEmpty = true

  /// Creates the document of the rows of `query`: one array, or a line for each object.
  init(_ query: QueryRows, isArray: Bool) {
    self.query = query
    self.isArray = isArray
    var taken: Set<String> = []
    names = query.columns.map { column in
      var name = column.name
      var number = 1
      while !taken.insert(name).inserted {
        number += 1
        name = "\(column.name) (\(number))"
      }
      return name
    }
  }

  func begin(_ sink: Sink) -> Bool { true }

  mutating func add(_ row: [QueryValue], _ sink: Sink) throws(DecantError) -> Bool {
    // Members are passed separately, so that a large text is not copied.
    var texts = [isArray ? isEmpty ? "[\n{" : ",\n{" : "{"]
    for (position, value) in row.enumerated() {
      texts += [position == 0 ? "" : ",", JSONValue.string(names[position]).text, ":"]
      guard case .bytes(let summary) = value, summary.file == nil, summary.byteCount != nil else {
        texts.append(value.json(isSaved: query.savesBytes).text)
        continue
      }
      var members = summary.members.map { "\"\($0.0)\":\($0.1.text)" }
      members.append("\"base64\":\"")
      texts.append("{" + members.joined(separator: ","))
      guard try sink(texts) else { return false }
      guard try writeBase64(of: position, sink) else { return false }
      texts = ["\"}"]
    }
    isEmpty = false
    return try sink(texts + [isArray ? "}" : "}\n"])
  }

  func end(_ sink: Sink) throws(DecantError) {
    guard isArray else { return }
    _ = try sink([isEmpty ? "[]\n" : "\n]\n"])
  }

  /// Writes the bytes in a column piece by piece, so that their whole text is never in memory.
  private func writeBase64(of column: Int, _ sink: Sink) throws(DecantError) -> Bool {
    var encoder = Base64Encoder()
    var result = Result<Bool, DecantError>.success(true)
    var goesOn: Bool { if case .success(true) = result { true } else { false } }
    func write(_ text: UnsafeRawBufferPointer) {
      guard goesOn else { return }
      result = Result { () throws(DecantError) in
        try sink([String(decoding: text, as: UTF8.self)])
      }
    }
    try query.forEachPiece(of: column) { piece in
      encoder.encode(piece, write)
      return goesOn
    }
    encoder.finish(write)
    return try result.get()
  }
}

extension QueryValue {
  fileprivate func json(isSaved: Bool) -> JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    // JSON has no such number, and null would mean a missing value.
    case .double(let double): double.isFinite ? .number(double) : .string(double.finiteText)
    case .float(let float):
      float.isFinite ? .number(Double("\(float)") ?? Double(float)) : .string(cellText)
    case .boolean(let isTrue): .bool(isTrue)
    case .date(let seconds): DateText.text(of: seconds).map { .string($0) } ?? seconds.json
    case .text(let text): .string(text)
    case .uuid: .string(cellText)
    case .bytes(let summary): summary.json(isSaved: isSaved)
    }
  }
}

extension Double {
  /// The number of seconds of a date outside the calendar's range.
  fileprivate var json: JSONValue {
    if let whole = Int64(exactly: self) { return .integer(whole) }
    return isFinite ? .number(self) : .string(finiteText)
  }
}

extension ByteSummary {
  /// The known properties of the bytes.
  fileprivate var members: [(String, JSONValue)] {
    [
      ("bytes", byteCount.map { .integer($0) } ?? .null),
      ("type", image.map { .string($0.mediaType) } ?? .null),
    ]
  }

  /// Returns the object for bytes that were saved to a file, or are missing.
  fileprivate func json(isSaved: Bool) -> JSONValue {
    let place: JSONValue = file.map { .string($0) } ?? .null
    return .object(members + [(isSaved ? "file" : "base64", place)])
  }
}
