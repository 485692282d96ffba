import { commonStrings } from './common.ts'

/** A document while its window opens it, and what can be done in each of its windows. */
export const openingStrings = {
  waiting: {
    title: 'Document',
    saveState: 'Save state',
    loading: 'Loading…',
    anyConnection: 'Use any transport',
  },
  link: {
    failed: 'The link could not be checked',
    hint: (why: string) => `${why} The link itself may be fine: try again in a moment.`,
  },
  refused: {
    title: 'The document did not open',
    reload: 'Reload',
  },
  window: {
    text: (title: string) => `${title} – ${commonStrings.product}`,
    panel: (panel: string, title: string) => `${panel} – ${title}`,
    panelHeading: (panel: string, title: string) => `${panel} of ${title}`,
  },
  saved: 'Say whether everything is saved',
  order: {
    move: 'Move to folder…',
    moveWords: 'order put file',
    favourite: 'Add to favourites, or remove from them',
    favouriteWords: 'star bookmark',
  },
  documents: {
    title: 'Documents',
    words: 'all list home open another',
  },
  send: {
    document: 'Send this document to another device or person',
    panel: (panel: string) => `Send ${panel} to another device or person`,
    words: 'phone tablet QR code share link',
  },
} as const
