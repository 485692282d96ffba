/** The keys of what is done with blocks, in the text. */
export const blockActionKeys = {
  up: 'Alt+Shift+ArrowUp',
  down: 'Alt+Shift+ArrowDown',
  duplicate: 'Mod+Shift+D',
  delete: 'Delete',
} as const

/** As a menu and the help show it. */
export const blockActionKeysText = {
  ...blockActionKeys,
  up: 'Alt+Shift+↑',
  down: 'Alt+Shift+↓',
} as const

/** `Delete` deletes letters while no block is selected. */
export const boundBlockActions = ['up', 'down', 'duplicate'] as const
