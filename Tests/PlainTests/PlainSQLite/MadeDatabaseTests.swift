import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Copies of databases that other people's programs made: all in the folder that `DECANT_DATABASES` names.
///
/// `Tests/Databases/make.sh` fills such a folder.
@Suite(.enabled(if: MadeDatabases.areAvailable)) struct MadeDatabaseTests {
  private let folder: TemporaryFolder
  private var out: String { folder.path("out.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Copies `file`; leaves out the virtual tables that decant says it cannot copy row by row.
  private func copy(_ file: URL, _ options: CopyOptions) throws -> Set<String> {
    var options = options
    while true {
      do throws(DecantError) {
        let copy = Copy(from: "sqlite:\(file.path)", to: "sqlite:\(out)", options: options)
        #expect(try copy.run().isVerified)
        return Set(options.leftOutTables)
      } catch {
        let table = error.message.wholeMatch(of: /cannot (?:copy|build) the virtual table (.+?)(?: row by row)?: .*/)
        guard let table, !options.leftOutTables.contains(String(table.1)) else { throw error }
        options.leftOutTables.append(String(table.1))
      }
    }
  }

  @Test(arguments: MadeDatabases.files) func `a copy holds all of it`(_ file: URL) throws {
    let left = try copy(file, CopyOptions())
    #expect(try PlainCheck.differences(of: out, from: file.path, without: left) == [])
  }

  @Test(arguments: MadeDatabases.files) func `a copy row by row holds all of it`(_ file: URL) throws {
    let source = try StoreKinds.known.openSource(StoreKinds.location("sqlite:\(file.path)"), options: .init())
    // An order that only another program knows lets nothing be copied row by row.
    guard let entity = source.model.entities.first, source.unknownCollations.isEmpty else { return }
    var options = CopyOptions()
    options.filters = [.init(entity: entity.name, expression: "1")]
    let left = try copy(file, options)
    #expect(try PlainCheck.differences(of: out, from: file.path, without: left) == [])
  }
}

/// The folder of databases, and which of them there are.
enum MadeDatabases {
  static let files: [URL] = {
    guard let place = ProcessInfo.processInfo.environment["DECANT_DATABASES"] else {
      print("databases: skipped; set DECANT_DATABASES to a folder that Tests/Databases/make.sh filled")
      return []
    }
    let folder = URL(fileURLWithPath: place)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.filter { $0.hasSuffix(".sqlite") }.sorted().map {
      folder.appendingPathComponent($0)
    }
  }()

  static var areAvailable: Bool { !files.isEmpty }
}
