#ifndef CDECANT_BUILD_H
#define CDECANT_BUILD_H

/// The commit that the program was built from, as `git describe` names it; "unknown" if the build did not say.
const char *_Nonnull decant_commit(void);

#endif
