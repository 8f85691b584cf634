internal import DecantBase
internal import DecantSystem
internal import Dispatch

/// The handling of Ctrl-C: the first one stops the work after the current batch, the second one ends the program.
enum Interrupt {
  private static let cancellation = Cancellation()

  /// Whether a stop was requested.
  static var isRequested: Bool { cancellation.isCancelled }

  /// The semaphore by which the signal handler reports a signal; a handler may do little else.
  ///
  /// Safe from any thread: the pointer never changes, and `sem_post` may be called even in a signal handler.
  private nonisolated(unsafe) static let bell: UnsafeMutablePointer<sem_t> = {
    let bell = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(bell, 0, 0)
    return bell
  }()

  /// Begins to listen for signals; called before the work starts, and initializes the values above.
  static func listen() -> Cancellation {
    let cancellation = cancellation
    _ = bell
    DispatchQueue(label: "decant.signals").async {
      while sem_wait(bell) != 0 {}
      cancellation.cancel()
    }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in sem_post(Interrupt.bell) }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    // The parent process may have blocked signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      sigaction(signal, &action, nil)
      sigaddset(&signals, signal)
    }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    ignoreFailedWrites()
    return cancellation
  }

  /// Ignores the signals for closed pipes and for files of the greatest allowed size, so that writes to them fail with
  /// an error code instead.
  static func ignoreFailedWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
