/** Pages that the server answers with by itself. */
export const plainPageStrings = {
  tooManyPages: 'Too many pages at once',
  tryAgain: (seconds: number) => `Too many pages were opened from your address. Try again in ${seconds} s.`,
  starting: 'Diptych is starting',
  opensByItself: 'This page opens by itself in a moment.',
  notMade: 'The document was not made',
  toDocuments: 'Go to your documents',
} as const
