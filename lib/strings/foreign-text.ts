/** A text with parts that the page does not know. */
export const strings = {
  title: 'Part of this document was made with a newer Diptych or another program.',
  hint: 'This window shows its text and changes nothing, so nothing is lost.',
  choices:
    'Reload the page if there is a newer Diptych. Or restore an earlier version, or keep what is shown here.',
  history: 'History',
  keep: 'Keep what is shown',
  kept: {
    step: 'what is shown kept',
    done: 'The document can be edited again. What could not be shown is gone.',
    undo: 'Undo',
  },
} as const
