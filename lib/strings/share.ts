/** What leads to sharing a document by link. */
export const strings = {
  button: 'Share',
  command: {
    title: 'Share this document',
    words: 'link invite',
  },
} as const
