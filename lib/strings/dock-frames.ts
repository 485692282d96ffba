/** What stands around a panel beside a text, and in the place of one that is in another window. */
export const dockFramesStrings = {
  columnWidth: { left: 'Width of the panels on the left', right: 'Width of the panels on the right' },
  tabs: 'Panels on this side',
  height: (panel: string) => `Height of ${panel}`,
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
} as const
