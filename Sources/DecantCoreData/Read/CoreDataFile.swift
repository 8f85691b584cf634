package import DecantBase
package import DecantStore
internal import DecantPropertyList
internal import DecantSQLite

/// The schema of a Core Data SQLite file: its model, its entity numbers, its tables.
///
/// Read once when the store is opened; objects are not read.
package struct CoreDataFile {
  /// The name of the kind in reports.
  package static let kind = "coredata"

  /// The file, and the way to open it without changing it.
  package let database: DatabaseFile
  /// The named model, or else the one in the store, with its version hashes.
  package let model: Model
  /// The origin of the model: the store, a file named by the user, or the tables.
  package let modelOrigin: String
  /// The reason why there is no model; `model` is then derived from the tables.
  package let modelGap: DecantError?
  /// `Z_UUID`; empty if the store has none.
  package let uuid: String
  /// The property list in `Z_METADATA`; empty if the store has none.
  let metadata: [String: PropertyList]
  /// The store's number for each entity of the model.
  package let numbers: [String: Int64]
  /// `Z_MAX` by entity number: the highest key allocated.
  package let counters: [Int64: Int64]
  /// The columns of each table, in order.
  package let columns: [String: [String]]
  /// Notes about the choice of the model.
  let modelNotes: [ReportNote]
  /// The rows of `Z_PRIMARYKEY`.
  let entries: [Bookkeeping.Entry]
  /// The tables and columns of the model's entities and links.
  let layout: Layout
  /// The kind of each table.
  let tableKinds: [String: Bookkeeping.TableKind]
  /// The text encoding, as returned by `PRAGMA encoding`.
  package let textEncoding: String

  /// Reads the store at `location`.
  ///
  /// - Parameters:
  ///   - location: The place of the store.
  ///   - modelPlace: The model, for a store that does not contain its own.
  ///   - isPrivate: Whether to always read a private copy.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` if it is not a Core Data store or lacks a
  ///   table or column, or `.modelMismatch` if `modelPlace` is the model of another store.
  package init(
    _ location: StoreLocation,
    model modelPlace: String? = nil,
    privately isPrivate: Bool = false
  ) throws(DecantError) {
    try self.init(DatabaseFile.open(location.place, privately: isPrivate), model: modelPlace, fallback: nil)
  }

  /// Reads the store in `database`.
  ///
  /// - Parameters:
  ///   - database: The file.
  ///   - modelPlace: The model, for a store that does not contain its own.
  ///   - fallback: The model in an archive, for a store that does not contain its own.
  /// - Throws: `DecantError` like the other initializer.
  package init(_ database: DatabaseFile, model modelPlace: String?, fallback: Model?) throws(DecantError) {
    let place = database.path
    let raw: Bookkeeping
    do throws(SQLiteError) {
      let connection = try Connection(database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      raw = try Bookkeeping(connection)
    } catch {
      throw DecantError(opening: place, error)
    }
    try raw.checkIsCoreData(place)
    self.database = database
    columns = raw.columns
    textEncoding = raw.textEncoding
    uuid = raw.uuid
    counters = Dictionary(raw.entries.map { ($0.number, $0.counter) }) { first, _ in first }
    metadata = try CoreDataFile.metadata(raw.metadata, place: place)
    tableKinds = raw.tableKinds
    entries = raw.entries
    let hashes = CoreDataFile.hashes(in: metadata)
    guard let modelPlace else {
      modelNotes = []
      do throws(DecantError) {
        let own = try CoreDataFile.cachedModel(raw.modelCache, hashes: hashes, place: place)
        (numbers, layout) = try raw.layout(of: own, in: database, place: place)
        (model, modelOrigin, modelGap) = (own, "in the store", nil)
      } catch {
        // The tables replace only a missing model; a damaged one is an error.
        guard error.family == .modelMismatch else { throw error }
        if let fallback {
          (numbers, layout) = try raw.layout(of: fallback, place: place)
          (model, modelOrigin, modelGap) = (fallback, "in the archive", nil)
          return
        }
        let tables = try TableModel(raw, place: place)
        (model, modelOrigin, modelGap) = (tables.model, "from the tables", error)
        (numbers, layout) = (tables.numbers, tables.layout)
      }
      return
    }
    let traits = StoreTraits(
      versionHashes: hashes,
      mark: ModelMark.of(metadata),
      entries: raw.entries,
      columns: raw.columns,
      place: place
    )
    let choice = try ModelLocation(modelPlace).choice(for: traits)
    model = choice.model
    (modelOrigin, modelGap) = ("from \(modelPlace)", nil)
    modelNotes =
      choice.isOther
      ? [ReportNote(.modelVersion, "“\(place)” is read with version “\(choice.version.name)” of the model")] : []
    (numbers, layout) = try raw.layout(of: model, place: place)
  }

  /// Reads the property list of `Z_METADATA`.
  static func metadata(_ bytes: [UInt8], place: String) throws(DecantError) -> [String:
    PropertyList]
  {
    // One real store has no metadata: it is treated as empty.
    guard !bytes.isEmpty else { return [:] }
    do throws(PropertyListError) {
      guard case .dictionary(let metadata) = try PropertyList.read(bytes) else { return [:] }
      return metadata
    } catch {
      throw DecantError(
        .damaged,
        "cannot read the metadata of “\(place)”: \(error)",
        place: "table Z_METADATA, column Z_PLIST",
        remedy: "the file is damaged: restore it from a backup",
        cause: error
      )
    }
  }

  /// The traits that identify the version of the store's model.
  package var traits: StoreTraits {
    StoreTraits(
      versionHashes: CoreDataFile.hashes(in: metadata),
      mark: ModelMark.of(metadata),
      entries: entries,
      columns: columns,
      place: database.path
    )
  }

  /// Reads the cached model again; returns `nil` if there is none.
  func modelCache() throws(DecantError) -> [UInt8]? {
    guard columns["Z_MODELCACHE"] != nil else { return nil }
    do throws(SQLiteError) {
      let connection = try Connection(database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      return try connection.bytes("SELECT Z_CONTENT FROM Z_MODELCACHE")
    } catch {
      throw DecantError(opening: database.path, error)
    }
  }

  /// Returns the version hashes in a store's metadata, by entity.
  static func hashes(in metadata: [String: PropertyList]) -> [String: [UInt8]] {
    guard case .dictionary(let entries)? = metadata["NSStoreModelVersionHashes"] else { return [:] }
    return entries.compactMapValues { value in
      if case .data(let bytes) = value { bytes } else { nil }
    }
  }

  /// Reads the model in a store; throws the reason if there is none.
  private static func cachedModel(_ cache: [UInt8]?, hashes: [String: [UInt8]], place: String)
    throws(DecantError) -> Model
  {
    let remedy: DecantError.Text =
      "pass the model the app was built with: \(say: .model) App.xcdatamodeld, or App.momd"
    guard let cache, !cache.isEmpty else {
      throw DecantError(
        .modelMissing,
        "“\(place)” does not contain its model",
        place: "stores written before iOS 9 have no table Z_MODELCACHE, and in some it is empty",
        remedy: remedy
      )
    }
    do throws(DecantError) {
      return try ModelCache.read(cache, versionHashes: hashes, place: place)
    } catch {
      throw DecantError(
        .modelMissing,
        "cannot read the model in “\(place)”: \(error.what)",
        place: "table Z_MODELCACHE",
        remedy: remedy,
        cause: error
      )
    }
  }
}

extension Bookkeeping {
  /// Returns the entity numbers of `model` and the layout; throws unless the model matches the tables.
  fileprivate func layout(of model: Model, place: String) throws(DecantError) -> (
    numbers: [String: Int64], layout: Layout
  ) {
    let numbers = try EntityNumbers(entries, model: model, place: place).byName
    let layout = CoreDataLayout(model: model, numbers: numbers, columns: columns, place: place)
    return (numbers, try layout.layout())
  }

  /// Returns the entity numbers of a cached model and the layout.
  ///
  /// The cache may have another version, which does not match the columns.
  fileprivate func layout(of model: Model, in database: DatabaseFile, place: String)
    throws(DecantError) -> (numbers: [String: Int64], layout: Layout)
  {
    do throws(DecantError) {
      return try layout(of: model, place: place)
    } catch {
      try database.requireSoundBooks(place)
      throw DecantError(
        .modelsDiffer,
        "the model in “\(place)” does not match its tables: \(error.what)",
        place: error.spot,
        remedy:
          "pass the model the app was built with: \(say: .model) App.xcdatamodeld, or App.momd",
        cause: error
      )
    }
  }

  /// Throws unless the tables are those of a Core Data store.
  func checkIsCoreData(_ place: String) throws(DecantError) {
    for table in ["Z_PRIMARYKEY", "Z_METADATA"] where columns[table] == nil {
      throw DecantError(
        .notAStore,
        "cannot open “\(place)” as a Core Data store: table \(table) is missing",
        place: "it looks like a plain SQLite database (tables: \(columns.count))",
        remedy:
          "where any database will do, \("sqlite:\(place)".shellWord) names it; else choose a Core Data store, or the App.momd "
          + "of a built app"
      )
    }
    // Names with invalid UTF-8 are read with replacement characters, which cannot be used to find anything.
    for (table, names) in columns
    where ([table] + names).contains(where: { $0.contains("\u{FFFD}") }) {
      throw DecantError(
        .damaged,
        "a name in the schema of “\(place)” is damaged",
        place: "table \(table)",
        remedy: "restore it from a backup"
      )
    }
  }
}
