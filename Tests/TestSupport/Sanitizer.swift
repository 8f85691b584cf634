import Foundation

/// The sanitizer that the tests, and the program beside them, were built with: `make sanitize`.
public enum Sanitizer {
  /// Whether there is one, which then is part of this process.
  public static let isActive = dlsym(nil, "__asan_init") != nil || isOfThreads

  /// Whether it is that of threads, which keeps a file of its own among the temporary ones.
  public static let isOfThreads = dlsym(nil, "__tsan_init") != nil
}
