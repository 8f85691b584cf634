// The C library of the platform: files, threads, time. The only file that names it.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif
