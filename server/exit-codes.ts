/** How the program ends, for whoever started it: a supervisor, a unit file, a shell. */
export const EXIT = {
  /** It was asked to end, and nothing was left undone. */
  ended: 0,
  /** It did not start, and the sentence on standard error says why. Also: it was told to end at once. */
  failed: 1,
  /** It met a fault of its own that it cannot survive, and is to be started again. sysexits.h: EX_SOFTWARE. */
  fault: 70,
  /** The thread of the store died again and again: to be started again, too. sysexits.h: EX_IOERR. */
  store: 74,
  /** A setting cannot be used: a wrong value, a port that is taken, a folder that is another server's. sysexits.h: EX_CONFIG. */
  setting: 78,
} as const
