import Foundation
import TestSupport
import Testing

/// A row of the table of cases: two databases, what is done with them, and what must come out.
///
/// Databases are SQL that the `sqlite3` program runs. What comes out is asked for by values that keep their
/// meaning when keys change, so that renumbering a store changes no answer.
struct LawCase: Sendable, CustomTestStringConvertible {
  let name: String
  let schema: String
  var source: String
  /// The rows of the destination; `nil` where the command makes it.
  var destination: String?
  /// A store that both databases are copies of, instead of the schema: the rest are edits of it.
  var store: URL?
  /// The schema of the destination where that is another one.
  var destinationSchema: String?
  /// The common ancestor, as `base.db`.
  var base: String?
  /// A mapping file, as `map.yaml`.
  var mapping: String?
  /// The program's command; SOURCE and DESTINATION follow.
  var verb = ["merge"]
  var options: [String] = []
  /// The exit code.
  var status: Int32 = 0
  /// What is expected of standard error: words that the user needs.
  var says: [String] = []
  /// Queries over the destination, and the rows they give afterwards as SQL literals.
  var facts: [Fact] = []
  /// By entity what the report counts, such as `new` and `changed`; `links` for all links.
  var counts: [String: [String: Int]] = [:]
  /// Laws that do not apply, as a second run of `--append` adds everything again.
  var exempt: Set<Law> = []
  /// Laws that decant breaks today.
  ///
  /// The test fails when one of them holds, so that the mark goes.
  var known: Set<Law> = []
  /// The row of the design's table of defects.
  var defect: Int?

  var testDescription: String { name }

  /// A query and the rows it gives.
  struct Fact: Sendable {
    let query: String
    let rows: [String]

    init(_ query: String, _ rows: String...) {
      self.init(query, rows: rows)
    }

    init(_ query: String, rows: [String]) {
      self.query = query
      self.rows = rows
    }
  }

  /// The laws that are checked for the case.
  var laws: [Law] {
    Law.allCases.filter { law in
      guard !exempt.contains(law) else { return false }
      // It takes as long as all others: by default a third of the cases is killed, and a known defect adds nothing to it.
      let isChosen = Effort.isThorough || defect == nil && name.utf8.reduce(0) { $0 + Int($1) } % 3 == 0
      guard law != .kill || FaultShim.isAvailable && isChosen else { return false }
      guard status == 0 || status == 3 else { return law.holdsForAll }
      return switch verb {
      case ["merge"]: mapping == nil || !law.isWithoutMapping
      case ["copy"]: law.holdsForAll || law == .batches
      default: law.holdsForAll
      }
    }
  }

  /// The tables that `--link` names, and where they lead: `table.column` and the target.
  var links: [String] {
    zip(options, options.dropFirst()).filter { $0.0 == "--link" }.map(\.1)
  }
}

/// What holds for every case.
enum Law: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// Exit code, words, rows and counts are as the case states.
  case outcome
  /// SQLite finds no damage, and no link leads nowhere that led somewhere.
  case soundness
  /// A dry run gives the run's exit code and counts, and writes nothing.
  case prediction
  /// The same again changes nothing.
  case repetition
  /// Other keys and another order of rows in the source give the same facts.
  case renumbering
  /// Batches of 1, 3 and 10,000 give the same facts as one run.
  case batches
  /// `diff` with the same options pairs the same objects.
  case pairs
  /// `verify` finds a value that was changed behind decant's back.
  case damage
  /// An edited copy adds nothing, under no policy but keep-both.
  case editedCopy
  /// Killed before a write reaches the disk and resumed, it gives the same facts.
  case kill

  var testDescription: String { rawValue }

  /// Whether it holds of cases as well that end with an error or are no merge.
  var holdsForAll: Bool { [.outcome, .soundness, .prediction, .renumbering].contains(self) }

  /// Whether it is about the databases of a case, of which a mapping says nothing.
  var isWithoutMapping: Bool { [.pairs, .damage, .editedCopy].contains(self) }
}
