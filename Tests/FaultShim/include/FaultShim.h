// The library has no interface of its own: it stands in front of the system's.
