/// A mapping file: the rules that convert objects of one model to objects of another.
///
/// The value represents the file's content, with the place of every word; names are not looked up in a model yet. An
/// empty file is valid: entities and properties of the same names are mapped to each other.
public struct Mapping: Sendable, Hashable {
  /// The path of the file as the user named it, with which errors begin.
  public var place: String
  /// The word for the file in errors: a links file is read like a mapping.
  package var word = "mapping"
  /// The permitted losses.
  package var contract = Contract()
  /// The defaults.
  package var defaults = Defaults()
  /// The seed of generated identifiers, sixteen bytes; `nil` for decant's own.
  package var namespace: [UInt8]?
  /// The rules for objects of the destination's entities, in the file's order; several rules of one entity are
  /// combined.
  package var entities: [EntityRule] = []
  /// The rules for links, in the file's order.
  package var relationships: [RelationshipRule] = []
  /// The shares, in the file's order.
  package var shares: [Share] = []
  /// The `Entity.attribute` names of the destination that the selected share leaves empty.
  package var stripped: [Word] = []
  /// Whether it is inferred from models, without a file: then properties without a rule are omitted.
  package var isInferred = false

  /// Creates an empty mapping.
  package init(place: String) { self.place = place }

  /// A place in the file: line and column, both counted from 1.
  package struct Mark: Sendable, Hashable {
    package var line: Int
    package var column: Int

    /// Creates a place.
    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// A text with its place in the file.
  package struct Word: Sendable, Hashable {
    package var text: String
    package var mark: Mark

    /// Creates a word.
    package init(_ text: String, _ mark: Mark) {
      self.text = text
      self.mark = mark
    }
  }

  /// Whether content of the source may be lost without being named.
  package enum Loss: String, Sendable, Hashable, CaseIterable {
    /// A loss is an error before anything is read.
    case freeze
    /// A loss is permitted and reported.
    case discard
  }

  /// The permitted losses: of whole entities, and of single attributes and relationships.
  package struct Contract: Sendable, Hashable {
    package var entities = Loss.freeze
    package var attributes = Loss.freeze

    /// Permits no loss.
    package init() {}
  }

  /// The rule for a link without target.
  public enum Missing: String, Sendable, Hashable, CaseIterable {
    /// It becomes null, and is counted.
    case null
    /// A stub object with the target's identity is created.
    case stub
    /// The object with the link is rejected.
    case reject
    /// The copy stops, and nothing is changed.
    case error
  }

  /// The defaults of a mapping.
  package struct Defaults: Sendable, Hashable {
    package var merge: Merge?
    package var missing = Missing.null
    /// The place of the rule in the file; `nil` if it is not there.
    package var missingMark: Mark?
    package var duplicates: MergeRules.Duplicates?
    /// The maximum number of rejected objects; if it is exceeded nothing is published.
    ///
    /// Without a limit the command line decides whether rejects are allowed.
    package var rejectLimit: Int64?
    /// The same as a share of all objects, 0 to 1.
    package var rejectRate: Double?

    /// Creates the defaults of an empty file.
    package init() {}
  }

  /// The rule for existing objects.
  package struct Merge: Sendable, Hashable {
    package var policy: MergePolicy
    package var mark: Mark
    /// The attribute by which `newest` determines the later change.
    package var by: Word?
    /// The properties that the destination's object keeps under every policy.
    package var keep: [Word] = []

    /// Creates a rule with a policy only.
    package init(_ policy: MergePolicy, _ mark: Mark) {
      self.policy = policy
      self.mark = mark
    }
  }
}
