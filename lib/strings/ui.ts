/** What stands on pages of every kind: small on purpose, since all of them load it. */
export const uiStrings = {
  search: { title: 'Search all documents', words: 'find everywhere full text titles' },
  settings: {
    title: 'Settings',
    words: 'preferences options theme dark light undo transport language',
    all: 'All settings…',
  },
  theme: {
    title: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
    command: 'Choose the theme',
    words: 'dark light',
  },
  newDocument: {
    title: 'New document',
    words: 'create make',
    failed: (why: string) => `No document was made. ${why}`,
  },
  copy: {
    copy: 'Copy',
    copied: 'Copied',
  },
  justNow: 'just now',
  notLoaded: 'This did not load. Check your connection and try again.',
  server: {
    unreachable: 'The server cannot be reached.',
    slow: 'The server does not answer. Try again in a moment.',
    notTheServer:
      'Something in the network answered in place of the server. If this network asks you to sign in, do that and try again.',
    answered: (status: number) => `The server answered ${status}.`,
  },
} as const
