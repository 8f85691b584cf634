public import DecantBase

/// How a source is read.
public struct SourceReading: Sendable, Hashable {
  /// The place of a model for a Core Data store that does not hold its own; `nil` for its own.
  public var model: String?
  /// Links that a plain database does not declare.
  public var links: [LinkDeclaration] = []
  /// Columns of a plain database that look like links and are none.
  public var notLinks: [Property] = []
  /// Virtual tables of a plain database that are left out.
  public var leftOutTables: [String] = []
  /// Whether a private copy is read, so that nobody who writes to the source has to wait.
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
