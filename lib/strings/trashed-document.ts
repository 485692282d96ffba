/** What an owner reads of a document in the trash: on its page, and in a window in which it was open. */
export const trashedDocumentStrings = {
  title: 'In your trash',
  /** After the title. */
  until: (day: string) =>
    ` was deleted. Until ${day} you can restore it, with its comments, versions and links.`,
  forGood: ' was deleted. You can restore it, with its comments, versions and links.',
  whileOpen: {
    title: 'This document is in your trash.',
    until: (day: string) => `You can restore it until ${day}.`,
  },
  restore: 'Restore',
  failed: (why: string) => `The document was not restored. ${why}`,
} as const
