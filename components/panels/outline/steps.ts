/** What can be done with a section, and by which keys while its row has the keyboard. */
export const steps = [
  { step: 'up', name: 'Move up', keys: 'Alt+ArrowUp', shown: 'Alt+↑' },
  { step: 'down', name: 'Move down', keys: 'Alt+ArrowDown', shown: 'Alt+↓' },
  { step: 'higher', name: 'One level higher', keys: 'Alt+Shift+ArrowLeft', shown: 'Alt+Shift+←' },
  { step: 'lower', name: 'One level lower', keys: 'Alt+Shift+ArrowRight', shown: 'Alt+Shift+→' },
] as const

export type Step = (typeof steps)[number]['step']
