/** Panels beside a text, and those that stand in windows of their own. */
export const dockStrings = {
  column: {
    label: { left: 'Panels on the left', right: 'Panels on the right' },
    notLoaded: 'The panels did not load. The text is not affected.',
  },
  commands: {
    detachHere: 'Open a panel in its own window',
    whereDetachHere: 'in the panel',
    bringBackLast: 'Bring a panel back',
    show: (panel: string) => `Show ${panel}`,
    detach: (panel: string) => `Open ${panel} in its own window`,
    bringBack: (panel: string) => `Bring ${panel} back`,
    close: (panel: string) => `Close ${panel}`,
  },
  /** By which else a command is found. */
  searchWords: { bringBackLast: 'dock close' },
  toasts: {
    noneToBringBack: 'No panel of this document is in another window.',
    inAnotherWindow: (panel: string) => `${panel} is in another window.`,
    comment: 'There is a comment on these words.',
    show: 'Show',
  },
} as const
