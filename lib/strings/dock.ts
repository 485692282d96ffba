/** Panels beside a text, and those that stand in windows of their own. */
export const strings = {
  column: {
    label: { left: 'Panels on the left', right: 'Panels on the right' },
    width: { left: 'Width of the panels on the left', right: 'Width of the panels on the right' },
    height: (panel: string) => `Height of ${panel}`,
    notLoaded:
      'The panels did not load. The text is not affected: go on writing, and reload the page when it suits you.',
  },
  frameMenu: {
    button: (panel: string) => `Move ${panel}`,
    up: 'Move up',
    down: 'Move down',
    across: { left: 'Move to the left', right: 'Move to the right' },
    expand: 'Expand',
    collapse: 'Collapse',
    detach: 'Open in its own window',
    send: 'Send to…',
  },
  /** In the place of a panel that stands in another window. */
  chip: {
    label: (panel: string) => `${panel} in another window`,
    /** @param rest Seen where there is room for it. */
    elsewhere: <Part>(panel: Part, rest: (text: string) => Part) =>
      [panel, rest(' is in another window')] as const,
    onDevice: <Part>(panel: Part, device: string, rest: (text: string) => Part) =>
      [panel, rest(` is on ${device}`)] as const,
    show: 'Show',
    bringBack: 'Bring back',
  },
  panelMenu: {
    title: 'Panels',
    showWindow: (panel: string) => `Show the window of ${panel}`,
    detach: (panel: string) => `Open ${panel} in its own window`,
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
