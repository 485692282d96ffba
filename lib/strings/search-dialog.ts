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
  ownedBy: (name: string) => `Owned by ${name}`,
  onDevice: 'These are the documents on this device.',
  unread: (count: number) => `${plural(count, 'document')} could not be read.`,
  deviceFailed: 'The documents on this device could not be searched.',
} as const
