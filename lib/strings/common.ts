import { plural } from './plural.ts'

/** Several areas use these. */
export const commonStrings = {
  product: 'Diptych',
  cancel: 'Cancel',
  close: 'Close',
  tryAgain: 'Try again',
  untitled: 'Untitled',
  changes: (count: number) => plural(count, 'change'),
} as const
