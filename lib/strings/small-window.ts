/** How the small window that stays above all others is opened; small-window-view.ts has what it shows. */
export const smallWindowStrings = {
  commands: {
    open: 'Keep a small window on top: who is here, and whether all is saved',
    close: 'Close the small window',
  },
  /** By which else a command is found. */
  searchWords: 'picture in picture always on top presence latency',
  notOpened: 'The browser did not open the small window.',
} as const
