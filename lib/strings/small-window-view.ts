import { commonStrings } from './common.ts'

/** What the small window shows, and what offers it. */
export const smallWindowViewStrings = {
  offer: {
    button: 'Keep a small window on top',
    hint: 'Who is here, whether everything is saved, and latency.',
  },
  pageTitle: (document: string) => `${document} – ${commonStrings.product}`,
  roundTrip: (link: string, ms: string) => `${link}, ${ms} ms`,
  people: 'People',
  self: (name: string) => `${name} (you)`,
  idle: 'idle',
  back: 'Back to the document',
} as const
