/** What stands in place of a page that cannot be shown without the network. */
export const offlineStrings = {
  newTitle: 'A new document needs the network',
  title: 'This page needs the network',
  newHint:
    'New documents are created on the server, which cannot be reached. Documents you have opened on this device before are saved here: you can read them and go on writing.',
  hint: 'The server cannot be reached. Documents you have opened on this device before are saved here: you can read them and go on writing.',
} as const
