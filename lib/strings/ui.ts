/** What stands on pages of every kind: small on purpose, since all of them load it. */
export const strings = {
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
    answered: (status: number) => `The server answered ${status}.`,
  },
} as const
