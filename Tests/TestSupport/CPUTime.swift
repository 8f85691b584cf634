import Foundation

/// What work costs, whatever else the machine does meanwhile.
///
/// Tests run beside each other, and beside other programs: a clock on the wall measures those.
public enum CPUTime {
  /// The time that this thread's processor spends on `work`, which must not wait for another thread.
  public static func of(_ work: () throws -> Void) rethrows -> Duration {
    let begin = now
    try work()
    return now - begin
  }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
