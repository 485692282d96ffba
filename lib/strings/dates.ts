/** Dates in the text. */
export const strings = {
  name: 'Date',
  words: 'day calendar today',
  field: 'Date',
  none: 'No date',
} as const
