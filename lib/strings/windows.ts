/** A person's windows, as every window of a document knows them: their names, the menu, commands and notices. */
export const windowsStrings = {
  names: {
    text: 'Text',
    documents: 'Documents',
    settings: 'Settings',
    /** As it stands in the taskbar. */
    panelOf: (panel: string, document: string) => `${panel} – ${document}`,
    /** The second of one name, and each after it. */
    numbered: (name: string, number: number) => `${name} (${number})`,
  },
  device: {
    name: (browser: string, system: string) => `${browser} on ${system}`,
    anyBrowser: 'A browser',
    anySystem: 'a device',
    thisBrowser: (name: string) => `This device, ${name}`,
  },
  menu: {
    button: 'Windows',
    panels: 'Panels',
    syncScroll: 'Sync scroll',
    ownWindows: 'Your windows…',
    allCommands: 'All commands',
    settings: 'Settings',
  },
  commands: {
    choosePanels: 'Choose panels',
    showAll: 'Show my windows on all devices',
    saveWorkspace: { title: 'Save this workspace…', words: 'arrangement layout keep name' },
    next: 'Next window',
    previous: 'Previous window',
    show: (name: string) => `Show ${name}`,
    showOn: (name: string, device: string) => `Show ${name} on ${device}`,
    bringBack: (text: string) => `Bring this panel back beside ${text}`,
  },
  /** By which else a command is found. */
  searchWords: {
    next: 'previous switch',
    bringBack: 'dock close',
  },
  marked: {
    onThisDevice: (name: string, mark: string) =>
      `${name} is marked ${mark} among your tabs and in your taskbar.`,
    onOtherDevice: (name: string, mark: string, device: string) => `${name} is marked ${mark} on ${device}.`,
  },
  sentHere: {
    label: 'Sent here',
    sentence: <Part>(name: Part) => [name, ' was sent here from another of your windows.'] as const,
    announcement: (name: string) => `${name} was sent here.`,
    open: 'Open',
    dismiss: 'Not now',
  },
  /** In place of a window whose content is gone. */
  gone: {
    replaced: {
      title: 'This is now in another window',
      hint: 'It was opened again there, and this page no longer updates. You can close this tab.',
    },
    closed: {
      title: 'This window was closed from another one',
      hint: 'The browser lets only you close a tab that you opened yourself.',
    },
    openAgain: 'Open it here again',
  },
} as const
