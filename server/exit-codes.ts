/** The exit codes of the program, for whoever started it: a supervisor, a unit file, a shell. */
export const EXIT = {
  /** The program was asked to end, and finished everything. */
  ended: 0,
  /** The program did not start, and standard error has a sentence that says why. Or: it was told to end at once. */
  failed: 1,
  /** The program met a fault that it cannot survive, and is to be restarted. sysexits.h: EX_SOFTWARE. */
  fault: 70,
  /** The store's thread died again and again; the program is to be restarted, too. sysexits.h: EX_IOERR. */
  store: 74,
  /**
   * Somebody must put something right: a setting that cannot be used (a wrong value, a port in use, another server's folder), or pages
   * that cannot be built here. sysexits.h: EX_CONFIG.
   */
  setting: 78,
} as const
