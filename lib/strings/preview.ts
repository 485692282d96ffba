/** The panel that shows the text to read, and as Markdown. */
export const previewStrings = {
  views: {
    label: 'View',
    reading: 'Reading',
    markdown: 'Markdown',
  },
  empty: 'Nothing is written yet.',
  emptyTask: 'Empty task',
  source: {
    label: 'Markdown',
    copied: 'The Markdown is copied.',
    selected: 'The text is selected: copy it by keyboard or menu.',
  },
} as const
