/** Panels in general: what they are called, and what frames them. Every page loads this; what a single panel says is in a file of its own. */
export const strings = {
  entries: {
    outline: { name: 'Outline', sentence: 'Headings: go to a section, or move it.' },
    preview: { name: 'Preview', sentence: 'The text to read, and as Markdown.' },
    comments: { name: 'Comments', sentence: 'What people say about the text.' },
    history: { name: 'History', sentence: 'Earlier versions: compare and restore them.' },
    people: { name: 'People', sentence: 'Who is here, and in which windows.' },
    find: { name: 'Find', sentence: 'Find and replace.' },
    statistics: { name: 'Statistics', sentence: 'Words, characters, reading time and goals.' },
    connection: {
      name: 'Connection inspector',
      sentence: 'How each of your windows is connected, in numbers.',
      searchWords: 'network simulator delay cut',
    },
    editor: { name: 'Second editor', sentence: 'The same document or another one, to write in.' },
  },
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
