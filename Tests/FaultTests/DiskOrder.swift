import Foundation
import TestSupport

/// Whether contents and names reached the disk in an order that a machine which goes down at any moment does not
/// break: contents before the name that leads to them, names before others that build on them or are taken away.
struct DiskOrder {
  /// The store that is written: what gets its name is synced in this very run, whoever had written it.
  let store: String
  /// Where nothing has to outlast the machine.
  let scratch: String

  /// The files that were written since they were synced, and those that were synced since they were written.
  private var open: [String: String] = [:]
  private var synced: Set<String> = []
  /// What was done to the names in a folder since that was synced, by the folder: in words, and the names themselves.
  private var names: [String: [(what: String, paths: Set<String>)]] = [:]
  /// The files that were removed since the folder was synced.
  private var removed: [String: [String]] = [:]
  private(set) var violations: [String] = []

  init(store: String, scratch: String) { (self.store, self.scratch) = (store, scratch) }

  /// What is wrong with `calls`, a line each.
  static func violations(of calls: [FaultTrace.Call], store: String, scratch: String) -> [String] {
    var order = DiskOrder(store: store, scratch: scratch)
    for call in calls where !call.path.hasPrefix(scratch) { order.take(call) }
    order.end()
    return order.violations
  }

  private mutating func take(_ call: FaultTrace.Call) {
    switch call.kind {
    case .write, .truncate:
      open[call.file] = call.path
      synced.remove(call.file)
    case .sync:
      open[call.file] = nil
      synced.insert(call.file)
      (names[call.path], removed[call.path]) = (nil, nil)
    case .make: change(call.path, "a folder is made: \(call.path)", [])
    case .rename, .exchange, .link: rename(call)
    case .remove:
      expectNamesOnDisk("“\(call.path)” is removed")
      open[call.file] = nil
      removed[folder(of: call.path), default: []].append(call.path)
    }
  }

  private mutating func rename(_ call: FaultTrace.Call) {
    let what = "\(call.kind.rawValue) “\(call.path)” “\(call.other)”"
    if open[call.file] != nil { violations.append("\(what): its content is not on the disk") }
    if call.other == store {
      if !synced.contains(call.file) { violations.append("\(what): it was not synced") }
      expectNamesOnDisk(what)
    }
    // What has a name only since then goes on to the next when that is on the disk, in all folders where it changes.
    for change in names.values.joined() where change.paths.contains(call.path) {
      violations.append("\(what) before \(change.what) is on the disk")
    }
    let paths: Set = [call.path, call.other]
    change(call.other, what, paths)
    if call.kind != .link { change(call.path, what, paths) }
  }

  private mutating func change(_ path: String, _ what: String, _ paths: Set<String>) {
    names[folder(of: path), default: []].append((what, paths))
  }

  private mutating func expectNamesOnDisk(_ what: String) {
    for (folder, changes) in names.sorted(by: { $0.key < $1.key }) {
      violations.append("\(what) before “\(folder)” is synced: \(changes.map(\.what).joined(separator: "; "))")
    }
  }

  private mutating func end() {
    expectNamesOnDisk("the run ends")
    for paths in removed.values {
      for path in paths where !["-journal", "-wal", "-shm"].contains(where: path.hasSuffix) {
        // What lies in a folder that is gone as well went with it.
        guard FileManager.default.fileExists(atPath: folder(of: path)) else { continue }
        violations.append("the run ends, and that “\(path)” is removed is not on the disk")
      }
    }
  }

  private func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }
}
