import { plural } from './plural.ts'

/** What several areas say. */
export const strings = {
  product: 'Diptych',
  cancel: 'Cancel',
  close: 'Close',
  tryAgain: 'Try again',
  untitled: 'Untitled',
  changes: (count: number) => plural(count, 'change'),
} as const
