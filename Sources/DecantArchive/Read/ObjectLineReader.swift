internal import DecantJSON

/// Reads the line of an object, and passes its members to a sink.
struct ObjectLineReader<Sink: ObjectSink>: ~Copyable {
  /// The sink owns the reader, so this reference is unowned.
  private unowned let sink: Sink
  private var values = ArchivedValueReader()
  private var targets = ArchivedValueReader()
  private var places = ArchivedValueReader()
  private var links: Int64 = 0
  private var isMore = false
  /// The names that are not passed to the sink, and those of lists.
  private var unknown = SeenNames()
  private var lists = SeenNames()

  init(_ sink: Sink) { self.sink = sink }

  /// Reads the line; returns its number of links, and whether it continues an earlier line.
  mutating func read(_ cursor: inout JSONReader) throws -> (links: Int64, isMore: Bool) {
    links = 0
    isMore = false
    unknown.removeAll()
    var seen: ObjectMembers = []
    // The members that came before entity and id.
    var waiting: [(ObjectMembers, Int)] = []
    var known: ObjectMembers = []
    try cursor.object { name, cursor in
      guard let member = ObjectMembers(name) else {
        try unknown.insert(name)
        return try cursor.skip()
      }
      guard seen.insert(member).inserted else {
        throw ArchiveFault("“\(String(decoding: name, as: UTF8.self))” appears twice in one object")
      }
      switch member {
      case .entity:
        try sink.begin(cursor.string())
        known.insert(.entity)
      case .key, .base: try cursor.skip()
      case .id where known.contains(.entity):
        try values.read(&cursor) { value, _ in try sink.take(id: value) }
        known.insert(.id)
      default:
        guard known.contains(.entity), known.contains(.id) else {
          waiting.append((member, cursor.position))
          return try cursor.skip()
        }
        try read(member, &cursor)
      }
    }
    guard seen.contains(.entity), seen.contains(.id) else {
      throw ArchiveFault("an object has no \(seen.contains(.entity) ? "“id”" : "“e”")")
    }
    guard !waiting.isEmpty else { return (links, isMore) }
    let end = cursor.position
    for (member, place) in waiting {
      cursor.go(to: place)
      if member == .id {
        try values.read(&cursor) { value, _ in try sink.take(id: value) }
      }
    }
    for (member, place) in waiting where member != .id {
      cursor.go(to: place)
      try read(member, &cursor)
    }
    cursor.go(to: end)
    return (links, isMore)
  }

  private mutating func read(_ member: ObjectMembers, _ cursor: inout JSONReader) throws {
    switch member {
    case .revision:
      guard try cursor.kind() == .null else {
        return try sink.take(revision: cursor.integer(as: "revision"))
      }
      try cursor.word("null")
      try sink.take(revision: nil)
    case .values: try readValues(&cursor, isUnnamed: false)
    case .columns: try readValues(&cursor, isUnnamed: true)
    case .owners: try readLinks(&cursor, isOwner: true)
    case .links: try readLinks(&cursor, isOwner: false)
    case .reject: try readReject(&cursor)
    case .more:
      isMore = true
      try readLinks(&cursor, isOwner: false)
    default: try cursor.skip()
    }
  }

  private mutating func readValues(_ cursor: inout JSONReader, isUnnamed: Bool) throws {
    try cursor.object { name, cursor in
      try values.read(&cursor) { value, place in
        try sink.take(value, place, of: name, isUnnamed: isUnnamed)
      }
    }
  }

  private mutating func readLinks(_ cursor: inout JSONReader, isOwner: Bool) throws {
    lists.removeAll()
    try cursor.object { name, cursor in
      switch try cursor.kind() {
      case .null:
        try lists.insert(name)
        try cursor.word("null")
      case .array where !isOwner:
        try lists.insert(name)
        try readList(&cursor, name)
      default:
        let sink = sink
        try readLink(&cursor) { link in
          try sink.take(link: link, of: name, isOwner: isOwner)
        }
      }
    }
  }

  private mutating func readList(_ cursor: inout JSONReader, _ name: UnsafeRawBufferPointer) throws {
    try cursor.array { cursor in
      let sink = sink
      try readLink(&cursor) { link in try sink.take(listed: link, of: name) }
    }
  }

  /// Reads a link: a plain target, or one in braces with additional members.
  private mutating func readLink(_ cursor: inout JSONReader, _ body: (ArchivedLink) throws -> Void) throws {
    guard case .object = try cursor.kind() else {
      links += 1
      return try values.read(&cursor) { value, _ in try body(ArchivedLink(target: value)) }
    }
    var link = ArchivedLink()
    // A target that is a text is lent, and the next text overwrites it.
    var text: [UInt8] = []
    var (hasTarget, isText) = (false, false)
    var others = SeenNames()
    let from = cursor.position
    try cursor.object { name, cursor in
      switch String(decoding: name, as: UTF8.self) {
      case "to":
        guard !hasTarget else { throw ArchiveFault("“to” appears twice in one link") }
        hasTarget = true
        try targets.read(&cursor) { value, _ in
          link.target = value
          if case .text(let bytes) = value { (text, isText) = (Array(bytes), true) }
        }
      case "e":
        try others.insert(name)
        link.entity = Array(try cursor.string())
      case "at":
        try others.insert(name)
        try places.read(&cursor) { value, _ in link.place = try value.checkedPlace() }
      case "in":
        try others.insert(name)
        try places.read(&cursor) { value, _ in link.ownPlace = try value.checkedPlace() }
      case "ref":
        guard link.reference == nil, !hasTarget else {
          throw ArchiveFault("a link has two targets")
        }
        hasTarget = true
        link.reference = try readReference(&cursor)
      default:
        try others.insert(name)
        try cursor.skip()
      }
    }
    if !hasTarget {
      // The braces are the target value itself, such as a large integer.
      let end = cursor.position
      cursor.go(to: from)
      links += 1
      try values.read(&cursor) { value, _ in try body(ArchivedLink(target: value)) }
      guard cursor.position == end else { throw ArchiveFault("a link has no target") }
      return
    }
    links += 1
    guard isText else { return try body(link) }
    try text.withUnsafeBytes { bytes in
      link.target = .text(bytes)
      try body(link)
    }
  }
}

extension ObjectLineReader {
  /// Reads the reason why an object was rejected.
  private mutating func readReject(_ cursor: inout JSONReader) throws {
    var reject = ArchivedReject()
    var names = SeenNames()
    try cursor.object { name, cursor in
      try names.insert(name)
      switch String(decoding: name, as: UTF8.self) {
      case "code": reject.code = try cursor.text()
      case "lacks":
        try cursor.array { cursor in reject.lacks.append(try cursor.text()) }
      case "links":
        var links = SeenNames()
        try cursor.object { name, cursor in
          try links.insert(name)
          reject.unreported.append(String(decoding: name, as: UTF8.self))
          try cursor.skip()
        }
      default: try cursor.skip()
      }
    }
    sink.take(reject: reject)
  }

  /// Reads the identity of an object that is not in the archive.
  private mutating func readReference(_ cursor: inout JSONReader) throws -> ArchivedReference {
    var reference = ArchivedReference()
    var names = SeenNames()
    try cursor.object { name, cursor in
      try names.insert(name)
      switch String(decoding: name, as: UTF8.self) {
      case "e": reference.entity = Array(try cursor.string())
      case "key":
        var keyNames = SeenNames()
        try cursor.object { name, cursor in
          try keyNames.insert(name)
          let name = Array(name)
          try targets.read(&cursor) { value, _ in
            reference.key.append((name, try value.kept()))
          }
        }
      default: try cursor.skip()
      }
    }
    guard !reference.entity.isEmpty else { throw ArchiveFault("a reference names no entity") }
    return reference
  }
}

extension ArchivedValue {
  /// Returns the value in a form that outlives the line.
  fileprivate func kept() throws(ArchiveFault) -> ArchivedReference.Value {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let bytes): .text(Array(bytes))
    case .bytes(let bytes): .bytes(Array(bytes))
    case .blob, .missing: throw ArchiveFault("the key of a reference contains a large value")
    }
  }

  /// Returns the value if it can be a position in a list: an integer, or null.
  fileprivate func checkedPlace() throws(ArchiveFault) -> ArchivedValue {
    switch self {
    case .null, .integer, .real: return self
    case .text, .bytes, .blob, .missing: throw ArchiveFault("a position in a list is not a number")
    }
  }
}
