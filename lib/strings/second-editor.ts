/** The second editor. */
export const secondEditorStrings = {
  picker: {
    label: 'Document shown',
    same: (title: string) => `${title} (this one)`,
    unlisted: 'Another document',
  },
  opening: 'Opening the document…',
  missing: 'There is no such document here, or it is not shared with you. Choose another one.',
  viewOnly: 'View only',
} as const
