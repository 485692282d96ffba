import { plural } from './plural.ts'

/** The panel that finds and replaces. */
export const findStrings = {
  command: 'Find and replace',
  field: 'Find',
  options: {
    label: 'Search options',
    matchCase: 'Match case',
    wholeWords: 'Whole words',
    regularExpression: 'Regular expression',
  },
  found: {
    label: 'Found',
    searching: 'Searching…',
    nothing: 'Nothing found',
    all: (count: number) => count.toLocaleString('en'),
    atLeast: (count: number) => `${count.toLocaleString('en')}+`,
    current: (number: number, all: string) => `${number.toLocaleString('en')} of ${all}`,
  },
  previous: 'Find previous',
  next: 'Find next',
  whereStepping: 'with Find open',
  replace: {
    field: 'Replace with',
    hint: '$1, $<name> and $& stand for what was found',
    one: 'Replace',
    all: 'Replace all',
    replaced: (count: number) => `${plural(count, 'match', 'matches')} replaced`,
    viewOnly: 'You can only view this document, so you cannot replace text in it.',
  },
  matches: {
    label: 'Matches',
    hint: 'Matches appear here.',
    listed: (first: number, last: number) =>
      `Matches ${first.toLocaleString('en')} to ${last.toLocaleString('en')} are listed. Use Find next for the others.`,
  },
} as const
