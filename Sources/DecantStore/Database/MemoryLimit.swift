internal import DecantSQLite

/// How much memory may be taken to keep pages of databases, in the whole process.
///
/// What else a copy needs comes on top, about 25 MiB, and does not grow with the stores.
package enum MemoryLimit {
  /// The smallest limit, in bytes: 1 MiB.
  package static var smallest: Int64 { PageCache.smallestLimit }

  /// The limit in bytes, 64 MiB unless it is set; it holds for what is begun from then on.
  package static var bytes: Int64 {
    get { PageCache.limit }
    set { PageCache.limit = newValue }
  }
}
