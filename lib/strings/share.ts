/** What leads to sharing a document by link. */
export const shareStrings = {
  button: 'Share',
  command: {
    title: 'Share this document',
    words: 'link invite',
  },
} as const
