/** All that can be done: the palette, the list of shortcuts, and the commands of every page. `words` are what people look for a command by. */
export const commandsStrings = {
  sections: {
    Text: 'Text',
    'Go to': 'Go to',
    Document: 'Document',
    Windows: 'Windows',
    View: 'View',
    Panels: 'Panels',
    Help: 'Help',
  },
  palette: {
    title: 'Commands',
    search: 'Search commands',
    placeholder: 'What would you like to do?',
    empty: 'No matching commands',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    or: 'or',
  },
  commands: {
    nextPane: { title: 'Next pane', words: 'pane panel focus' },
    previousPane: { title: 'Previous pane', words: 'previous pane panel focus' },
    palette: { title: 'Show all commands', words: 'palette' },
    paletteShort: { title: 'Show all commands', where: 'with nothing selected' },
    shortcuts: { title: 'Show the keyboard shortcuts', words: 'keys help' },
  },
} as const
