internal import DecantBase
internal import DecantSystem

/// Ctrl-C: the first asks the work to stop after the batch at hand, the second ends the program.
enum Interrupt {
  static let cancellation = Cancellation()

  /// Begins to listen; called before the work starts, which also makes the value above.
  static func listen() -> Cancellation {
    let cancellation = cancellation
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Interrupt.cancellation.cancel() }
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
