public import Decant
public import Foundation

// All commands, with the places of stores and files as URLs; the documentation of the text forms applies.

extension Copy {
  /// Describes a copy between two places.
  public init(from source: URL, to destination: URL) {
    self.init(from: source.decantPlace, to: destination.decantPlace)
  }
}

extension Merge {
  /// Describes a merge of stores into an existing one.
  public init(_ sources: [URL], into destination: URL, rules: MergeRules = MergeRules(.skip)) {
    self.init(sources.map(\.decantPlace), into: destination.decantPlace, rules: rules)
  }
}

extension Import {
  /// Describes an import of files into a store; objects that it already has are skipped.
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
  /// Describes a comparison of a source with its copy.
  public init(_ source: URL, against destination: URL) {
    self.init(source.decantPlace, against: destination.decantPlace)
  }
}

extension Diff {
  /// Describes a comparison of two stores.
  public init(_ a: URL, _ b: URL) { self.init(a.decantPlace, b.decantPlace) }

  /// Returns the operation that writes the differences as a page to a new file.
  public func page(at file: URL, limit: Int = Diff.pageLimit) -> DecantOperation<DiffReport> {
    page(at: file.path(percentEncoded: false), limit: limit)
  }
}

extension Inspect {
  /// Describes an inspection of a store.
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
  /// Describes a re-pointing of the references at `places` of a store.
  public init(_ store: URL, at places: [ReferencePlace]) {
    self.init(store.decantPlace, at: places)
  }

  /// Sets the store whose objects the references should point to.
  public mutating func lead(to store: URL) { lead(to: store.decantPlace) }
}

extension Recipes {
  /// Describes a job on the recipes of a store.
  public init(_ store: URL, _ job: Job = .list) { self.init(store.decantPlace, job) }
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
