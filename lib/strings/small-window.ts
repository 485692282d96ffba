import { strings as common } from './common.ts'

/** The small window that stays above all others. */
export const strings = {
  offer: {
    button: 'Keep a small window on top',
    hint: 'Who is here, whether everything is saved, and latency.',
  },
  commands: {
    open: 'Keep a small window on top: who is here, and whether all is saved',
    close: 'Close the small window',
  },
  /** By which else a command is found. */
  searchWords: 'picture in picture always on top presence latency',
  notOpened: 'The browser did not open the small window.',
  pageTitle: (document: string) => `${document} – ${common.product}`,
  roundTrip: (link: string, ms: string) => `${link}, ${ms} ms`,
  people: 'People',
  self: (name: string) => `${name} (you)`,
  idle: 'idle',
  back: 'Back to the document',
} as const
