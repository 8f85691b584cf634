internal import DecantSQLite

/// The memory limit of page caches in the whole process.
///
/// A copy needs about 25 MiB in addition, independent of the size of the stores.
package enum MemoryLimit {
  /// The smallest limit, in bytes: 1 MiB.
  package static var smallest: Int64 { PageCache.smallestLimit }

  /// The limit in bytes, by default 64 MiB; it applies to connections opened afterwards.
  package static var bytes: Int64 {
    get { PageCache.limit }
    set { PageCache.limit = newValue }
  }
}
