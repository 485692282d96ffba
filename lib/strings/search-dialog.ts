import { plural } from './plural.ts'

/** The dialog that searches in all documents. */
export const searchDialogStrings = {
  title: 'Search all documents',
  placeholder: 'Search titles, texts and comments',
  hint: 'Words, or a phrase in quotation marks.',
  searching: 'Searching…',
  nothing: (query: string) => `Nothing found for “${query}”.`,
  found: (count: number) => `${plural(count, 'document')} found`,
  more: 'Show more',
  choices: {
    place: {
      label: 'Search in',
      options: {
        all: 'All documents',
        owned: 'My documents',
        shared: 'Shared with me',
        favourites: 'Favourites',
      },
    },
    edited: {
      label: 'Edited',
      options: {
        any: 'Edited at any time',
        week: 'Edited in the last week',
        month: 'Edited in the last month',
        year: 'Edited in the last year',
      },
    },
    sort: { label: 'Sort', options: { best: 'Best first', edited: 'Last edited first' } },
  },
  choicesNeedServer: 'Where and when to search can be chosen with the server alone.',
  ownedBy: (name: string) => `Owned by ${name}`,
  onDevice: 'These are the documents on this device.',
  unread: (count: number) => `${plural(count, 'document')} could not be read.`,
  deviceFailed: 'The documents on this device could not be searched.',
} as const
