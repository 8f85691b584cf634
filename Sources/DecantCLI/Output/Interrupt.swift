internal import DecantBase
internal import DecantSystem
internal import Dispatch

/// Ctrl-C: the first asks the work to stop after the batch at hand, the second ends the program.
enum Interrupt {
  private static let cancellation = Cancellation()

  /// Whether the work was asked to stop.
  static var isRequested: Bool { cancellation.isCancelled }

  /// Where the signal handler says that a signal came; it may do little else.
  ///
  /// Safe from any thread: the pointer never changes, and `sem_post` may be called even in a signal handler.
  private nonisolated(unsafe) static let bell: UnsafeMutablePointer<sem_t> = {
    let bell = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(bell, 0, 0)
    return bell
  }()

  /// Begins to listen; called before the work starts, which also makes the values above.
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
    // Whoever started this program may have kept signals from it.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      sigaction(signal, &action, nil)
      sigaddset(&signals, signal)
    }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    ignoreClosedPipes()
    return cancellation
  }

  /// A closed pipe is no error: writes to it fail quietly.
  static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
