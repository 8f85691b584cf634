import Foundation

/// The sanitizer that the tests, and the program beside them, were built with: `make sanitize`.
public enum Sanitizer {
  /// Whether there is one, which then is part of this process.
  public static let isActive = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
