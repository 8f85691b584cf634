/// A mapping file: how the objects of one model become objects of another.
///
/// The value says what the file says, with the place of every word in it; nothing is looked up in a model yet.
/// An empty file is valid: entities and properties of the same names become each other.
public struct Mapping: Sendable, Hashable {
  /// The file as the user named it; errors begin with it.
  public var place: String
  /// What the file is called in errors: one that says what is a link is read like a mapping.
  package var word = "mapping"
  /// What may be lost.
  package var contract = Contract()
  /// What holds where nothing else is said.
  package var defaults = Defaults()
  /// The seed of generated identifiers, sixteen bytes; `nil` for decant's own.
  package var namespace: [UInt8]?
  /// How objects of the destination's entities are made, in the file's order; several of one entity add up.
  package var entities: [EntityRule] = []
  /// What links do, in the file's order.
  package var relationships: [RelationshipRule] = []
  /// Named parts of a store, in the file's order.
  package var shares: [Share] = []
  /// `Entity.attribute` of the destination, left empty by the share that is asked for.
  package var stripped: [Word] = []
  /// Whether it follows from models, and no file says it: then what no rule speaks of becomes nothing.
  package var isInferred = false

  /// Makes a mapping that says nothing.
  package init(place: String) { self.place = place }

  /// A place in the file: line and column, both counted from 1.
  package struct Mark: Sendable, Hashable {
    package var line: Int
    package var column: Int

    /// Names a place; nothing is looked up.
    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// A text with the place where it stands.
  package struct Word: Sendable, Hashable {
    package var text: String
    package var mark: Mark

    /// Pairs a text with its place.
    package init(_ text: String, _ mark: Mark) {
      self.text = text
      self.mark = mark
    }
  }

  /// Whether something of the source may be left behind without being named.
  package enum Loss: String, Sendable, Hashable, CaseIterable {
    /// Losing it is an error before anything is read.
    case freeze
    /// It is left behind, and the report says so.
    case discard
  }

  /// What may be lost: whole entities, single attributes and relationships.
  package struct Contract: Sendable, Hashable {
    package var entities = Loss.freeze
    package var attributes = Loss.freeze

    /// Nothing may be lost.
    package init() {}
  }

  /// What becomes of a link whose target is not there.
  public enum Missing: String, Sendable, Hashable, CaseIterable {
    /// It is made null, and counted.
    case null
    /// An empty object with the target's identity is made for it to lead to.
    case stub
    /// The object that holds it is rejected.
    case reject
    /// The copy ends, and nothing is changed.
    case error
  }

  /// What holds where nothing else is said.
  package struct Defaults: Sendable, Hashable {
    package var merge: Merge?
    package var missing = Missing.null
    /// Where the file says it; `nil` where it does not.
    package var missingMark: Mark?
    package var duplicates: MergeRules.Duplicates?
    /// The most objects that may be rejected; with more nothing is published, and without a bound the
    /// command line alone says whether there may be any.
    package var rejectLimit: Int64?
    /// The same as a share of all objects, 0 to 1.
    package var rejectRate: Double?

    /// The defaults of an empty file.
    package init() {}
  }

  /// What becomes of objects that are there.
  package struct Merge: Sendable, Hashable {
    package var policy: MergePolicy
    package var mark: Mark
    /// The attribute by which `newest` tells what was changed later.
    package var by: Word?
    /// What the destination's object keeps whatever the policy says.
    package var keep: [Word] = []

    /// Makes a rule of a policy alone.
    package init(_ policy: MergePolicy, _ mark: Mark) {
      self.policy = policy
      self.mark = mark
    }
  }
}
