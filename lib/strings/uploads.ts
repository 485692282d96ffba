/** What is said of a file that this device sends, or of one that is not here yet. */
export const strings = {
  notAllowed: 'You can’t add files to this document any more. The file stays on this device.',
  refused: (status: number) => `The server did not take the file (${status}).`,
  unreadable: 'This device could not read the file.',
} as const
