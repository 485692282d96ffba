/** Dates in the text. */
export const datesStrings = {
  name: 'Date',
  words: 'day calendar today',
  field: 'Date',
  none: 'No date',
} as const
