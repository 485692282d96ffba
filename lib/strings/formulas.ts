/** Formulas in the text. */
export const formulasStrings = {
  label: 'Formula',
  source: 'Formula in LaTeX',
  empty: 'New formula',
  placeholder: 'E = mc^2',
  hint: 'Enter to finish',
  done: 'Done',
  wrong: (what: string) => `This is not a formula yet: ${what}.`,
  tooLong: 'This formula is too long to be drawn.',
  tooDeep: 'This formula is nested too deeply to be drawn.',
  noDefinitions: 'A formula here cannot define commands.',
  notLoaded: 'Formulas cannot be drawn at the moment.',
} as const
