import Decant
import DecantSQLite

/// A kind of stores that are no files: what it takes to add one.
struct MemoryKind: StoreKind {
  static let name = "memory"

  var name: String { MemoryKind.name }
  var abilities: StoreAbilities { [.isMade, .isExtended] }
  var lines: [StoreKindLine] { [StoreKindLine(name, "for tests", abilities)] }

  func check(_ location: StoreLocation) throws(DecantError) {
    guard !location.place.isEmpty else { throw DecantError(.invalidPlace, "a store has no name") }
  }

  func exists(_ location: StoreLocation) -> Bool { MemoryStores.shared.exists(location.place) }

  /// Never: it is named.
  func recognises(_ place: String) throws(DecantError) -> Bool { false }

  func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    guard exists(location) else {
      throw DecantError(.storeNotFound, "there is no store “\(location)”")
    }
    return MemorySource(name: location.place)
  }

  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    guard source.identity != MemorySource(name: location.place).identity else {
      throw DecantError(.sameFile, "“\(location)” is the source itself")
    }
    return MemoryDestination(name: location.place, isNew: !exists(location))
  }
}

struct MemorySource: SourceStore {
  let name: String

  var identity: StoreIdentity { StoreIdentity(kind: MemoryKind.name, place: name) }
  var model: Model { MemoryModel.model }
  var layout: Layout { MemoryModel.layout }
  var textEncoding: String { "UTF-8" }
  var notes: [ReportNote] { [] }
  var path: String? { nil }
  var externalStorage: (any ExternalStorage)? { nil }

  func attach(to connection: Connection, as schema: String) throws(DecantError) {
    try explaining("cannot read “\(name)”") { () throws(SQLiteError) in
      try connection.attach(MemoryStores.uri(name), as: schema)
    }
  }

  func fingerprint(of schema: String, on connection: Connection) -> Fingerprint {
    Fingerprint("\(name) \(MemoryStores.shared.generation(name))")
  }
}

struct MemoryDestination: DestinationStore {
  let about: DestinationDescription

  init(name: String, isNew: Bool) {
    about = DestinationDescription(
      StoreIdentity(kind: MemoryKind.name, place: name),
      at: .own(MemoryPlace(name: name)),
      isNew: isNew,
      model: MemoryModel.model,
      layout: MemoryModel.layout
    )
  }

  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    try explaining("cannot read counters") { () throws(SQLiteError) in
      var counters: [String: Int64] = [:]
      try connection.forEachRow("SELECT root, last FROM \(schema).counter") { row in
        counters[row.text(at: 0) ?? ""] = row.integer(at: 1)
      }
      return counters
    }
  }

  func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
    try explaining("cannot write counters") { () throws(SQLiteError) in
      for (root, last) in counters {
        try connection.run(
          "INSERT INTO counter VALUES (?1, ?2) ON CONFLICT (root) DO UPDATE SET last = max(last, ?2)",
          .text(root),
          .integer(last)
        )
      }
    }
  }

  func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError) {
    let statements: [String] =
      switch part {
      case .tables: MemoryModel.tables
      case .indexes: MemoryModel.indexes
      case .uniqueIndexes, .derivedValues: []
      }
    try explaining("cannot create the store") { () throws(SQLiteError) in
      for sql in statements { try connection.run(sql) }
    }
  }
}
