/** The panel of documents that lead here. */
export const backlinksStrings = {
  label: 'Backlinks',
  loading: 'Looking for links…',
  none: 'No document that you may read links here yet. Mention this document with @ in another one, or paste its address there, and it appears here.',
  notFetched: (why: string) => `What links here could not be loaded. ${why}`,
  more: 'Show more',
  edited: <Part>(owner: Part, time: Part) => [owner, ' · edited ', time] as const,
} as const
