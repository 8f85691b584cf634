import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The source stays as it is to the byte, wherever it lies and whoever else has it open.
@Suite struct UntouchedSourceTests {
  let kitchens: Kitchens
  private var vault: String { kitchens.folder.path("vault") }
  private var store: String { vault + "/Kitchen.sqlite" }
  private var open: String { kitchens.folder.path("open") }

  init() throws { kitchens = try Kitchens() }

  /// Every file in a folder, by name.
  private func files(in folder: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
      }
    )
  }

  /// How the store lies in the folder that cannot be written.
  enum Lie: String, CaseIterable {
    case alone, empty, logged, interrupted
  }

  @Test(.enabled(if: DecantProgram.bound != nil), arguments: Lie.allCases)
  func `a store in a folder that cannot be written is read whole and left alone`(lie: Lie) throws {
    for folder in [vault, open] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    // Copied while its writer has it open: with all that a writer that is killed leaves.
    let script = """
      import sqlite3, shutil, sys
      source, place, lie = sys.argv[1:]
      c = sqlite3.connect(source, isolation_level=None)
      if lie in ('logged', 'empty'): c.execute('PRAGMA journal_mode = WAL')
      c.execute("UPDATE ZTAG SET ZNAME = 'committed'")
      if lie == 'empty': c.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()
      if lie == 'interrupted':
          c.execute('PRAGMA cache_size = 1')
          c.execute('PRAGMA cache_spill = 1')
          c.execute('BEGIN')
          for n in range(20): c.execute("UPDATE ZSTEP SET ZTEXT = ZTEXT || 'undone, undone'")
      import os
      for suffix in ('', '-wal', '-journal'):
          if os.path.exists(source + suffix): shutil.copy(source + suffix, place + suffix)
      """
    let run = try Program.run(["python3", "-c", script, kitchens.kitchen, store, lie.rawValue])
    #expect(run.errors == "")
    let journal = FileManager.default.contents(atPath: store + "-journal") ?? Data()
    #expect(journal.isEmpty == (lie != .interrupted))
    let before = try files(in: vault)
    for name in before.keys {
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: "\(vault)/\(name)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: vault)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: vault)
    }
    for (number, more) in [[], ["--where", "Recipe: 1"]].enumerated() {
      let out = "\(open)/out-\(number).sqlite"
      let run = try Program.run(
        (DecantProgram.bound ?? []) + [DecantProgram.path, "copy", store, out] + more,
        environment: ["TMPDIR": open]
      )
      #expect(run.status == 0, "\(run.errors)")
      #expect(try Program.sqlite3(out, "SELECT DISTINCT ZNAME FROM ZTAG") == "committed")
      #expect(try Program.sqlite3(out, "SELECT count(*) FROM ZSTEP WHERE ZTEXT LIKE '%undone%'") == "0")
    }
    #expect(try files(in: vault) == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: open)
    #expect(Set(left) == ["out-0.sqlite", "out-1.sqlite"])
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `while another process writes, a copy is of one state, and no write is lost`(mode: String) throws {
    let process = try RunningProgram(["python3", "-c", Self.writing, kitchens.kitchen, mode], errors: .inherited)
    defer { process.kill() }
    // Its first line means that it has begun.
    _ = process.read()
    var states: Set<String> = []
    for number in 1...6 {
      let out = kitchens.folder.path("out-\(number).sqlite")
      let more = number.isMultiple(of: 2) ? ["--where", "Recipe: 1", "--batch-size", "7"] : []
      let run = try Program.run([DecantProgram.path, "copy", kitchens.kitchen, out] + more)
      #expect(run.status == 0, "\(run.errors)")
      // The writer changes all of these in one transaction, and in no other.
      let state = try Program.sqlite3(
        out,
        "SELECT DISTINCT ZTEXT FROM ZSTEP UNION SELECT DISTINCT ZNOTE FROM ZINGREDIENT"
      )
      #expect(state.split(separator: "\n").count == 1, "\(state)")
      states.insert(state)
    }
    #expect(states.count > 1)
    let last = process.end().rest
    #expect(
      try Program.sqlite3(kitchens.kitchen, "SELECT DISTINCT ZTEXT FROM ZSTEP")
        == last.trimmingCharacters(in: .newlines)
    )
    #expect(try Program.sqlite3(kitchens.kitchen, "PRAGMA integrity_check") == "ok")
  }

  /// Writes until its input ends, then prints what it wrote last.
  private static let writing = """
    import sqlite3, select, sys, time
    c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
    c.execute('PRAGMA journal_mode = ' + sys.argv[2])
    n = 0
    while not (n and select.select([sys.stdin], [], [], 0.01)[0]):
        n += 1
        c.execute('BEGIN IMMEDIATE')
        c.execute('UPDATE ZSTEP SET ZTEXT = ?', ('state %d' % n,))
        c.execute('UPDATE ZINGREDIENT SET ZNOTE = ?', ('state %d' % n,))
        c.execute('COMMIT')
        if n == 1: print('writing', flush=True)
    print('state %d' % n, flush=True)
    """
}
