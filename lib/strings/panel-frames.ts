/** What frames any panel, and stands in place of one that cannot be shown. */
export const panelFramesStrings = {
  detach: 'Open in its own window',
  ownWindow: {
    skip: 'Skip to the panel',
    document: 'Document',
    openDocument: 'Open the document here',
  },
  loading: 'Loading…',
  undo: 'Undo',
  broken: {
    title: (panel: string) => `${panel} stopped.`,
    hint: 'The text is not affected.',
  },
  unknown: {
    title: 'There is no such panel',
    hint: 'These are the panels of this document:',
    list: 'Panels',
    openDocument: 'Open the document',
  },
} as const
