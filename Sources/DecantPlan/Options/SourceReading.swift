public import DecantBase

/// The options for reading a source.
public struct SourceReading: Sendable, Hashable {
  /// The place of a model for a Core Data store that does not contain its own; `nil` for its own.
  public var model: String?
  /// Links that a plain database does not declare.
  public var links: [LinkDeclaration] = []
  /// Columns of a plain database that look like links but are not.
  public var notLinks: [Property] = []
  /// Virtual tables of a plain database that are left out.
  public var leftOutTables: [String] = []
  /// Whether a private copy is read, so that writers of the source need not wait.
  public var usesPrivateCopy = false

  public init() {}
}

extension CopyOptions {
  package var reading: SourceReading {
    get {
      var reading = SourceReading()
      (reading.model, reading.usesPrivateCopy) = (model, readsPrivateCopy)
      (reading.links, reading.notLinks, reading.leftOutTables) = (links, noLinks, leftOutTables)
      return reading
    }
    set {
      (model, readsPrivateCopy) = (newValue.model, newValue.usesPrivateCopy)
      (links, noLinks) = (newValue.links, newValue.notLinks)
      leftOutTables = newValue.leftOutTables
    }
  }
}
