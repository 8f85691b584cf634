public import Decant
public import Foundation

// Every verb, with the places of stores and files as URLs; what the forms with texts say holds for these.

extension Copy {
  /// Describes a copy between two places.
  public init(from source: URL, to destination: URL) {
    self.init(from: source.decantPlace, to: destination.decantPlace)
  }
}

extension Merge {
  /// Describes a merge of stores into one that is there.
  public init(_ sources: [URL], into destination: URL, rules: MergeRules = MergeRules(.skip)) {
    self.init(sources.map(\.decantPlace), into: destination.decantPlace, rules: rules)
  }
}

extension Import {
  /// Describes an import of files into a store; what is there already is skipped.
  public init(_ files: [URL], into destination: URL) {
    self.init(files.map(\.decantPlace), into: destination.decantPlace)
  }
}

extension Export {
  /// Describes an export of a store into an archive.
  public init(from source: URL, to destination: URL) {
    self.init(from: source.decantPlace, to: destination.decantPlace)
  }
}

extension ExportEach {
  /// Describes an export of each object of an entity into an archive of its own, in a folder.
  public init(_ entity: String, of source: URL, into folder: URL) {
    self.init(entity, of: source.decantPlace, into: folder.decantPlace)
  }
}

extension Migrate {
  /// Describes a migration of the first of several places that exists, to a model.
  public init(_ candidates: [URL], to wanted: URL) {
    self.init(candidates.map(\.decantPlace), to: wanted.decantPlace)
  }
}

extension Check {
  /// Describes a check of a store against a model.
  public init(_ store: URL, against wanted: URL) {
    self.init(store.decantPlace, against: wanted.decantPlace)
  }
}

extension Verify {
  /// Describes a comparison of a source with what was made of it.
  public init(_ source: URL, against destination: URL) {
    self.init(source.decantPlace, against: destination.decantPlace)
  }
}

extension Diff {
  /// Describes a comparison of two stores.
  public init(_ a: URL, _ b: URL) { self.init(a.decantPlace, b.decantPlace) }

  /// The differences as a page in a new file.
  public func page(at file: URL, limit: Int = Diff.pageLimit) -> DecantOperation<DiffReport> {
    page(at: file.path(percentEncoded: false), limit: limit)
  }
}

extension Inspect {
  /// Describes a look at a store.
  public init(_ store: URL, model: URL? = nil) {
    self.init(store.decantPlace, model: model?.decantPlace)
  }
}

extension Doctor {
  /// Describes an examination of a store.
  public init(_ store: URL, model: URL? = nil) {
    self.init(store.decantPlace, model: model?.decantPlace)
  }
}

extension Clean {
  /// Describes the removal of `kinds` of sync metadata from a store.
  public init(_ store: URL, of kinds: [String]) { self.init(store.decantPlace, of: kinds) }
}

extension Repoint {
  /// Describes a re-pointing of what stands at `places` of a store.
  public init(_ store: URL, at places: [ReferencePlace]) {
    self.init(store.decantPlace, at: places)
  }

  /// Names the store whose objects the references are to lead to.
  public mutating func lead(to store: URL) { lead(to: store.decantPlace) }
}

extension Rollback {
  /// Describes a rollback of a store.
  public init(_ store: URL) { self.init(store.decantPlace) }
}

extension MappingSuggestion {
  /// Describes a suggestion for two stores.
  public init(from source: URL, to destination: URL) {
    self.init(from: source.decantPlace, to: destination.decantPlace)
  }
}

extension LinkSuggestion {
  /// Describes a links file for a plain database.
  public init(for store: URL) { self.init(for: store.decantPlace) }
}

extension StoreQuery {
  /// Describes a SELECT over the entities of a store.
  public init(_ sql: String, in store: URL) { self.init(sql, in: store.decantPlace) }
}
