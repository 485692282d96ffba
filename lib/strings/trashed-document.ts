/** The page of a document that its owner opens while it is in the trash. */
export const strings = {
  title: 'In your trash',
  /** After the title. */
  until: (day: string) =>
    ` was deleted. Until ${day} you can restore it, with its comments, versions and links.`,
  forGood: ' was deleted. You can restore it, with its comments, versions and links.',
  restore: 'Restore',
  failed: (why: string) => `The document was not restored. ${why}`,
} as const
