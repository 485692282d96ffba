import { plural } from './plural.ts'

/** What is loaded with the list of a person's windows, and where a window did not open. */
export const windowsDialogStrings = {
  title: 'Windows',
  description: 'Your windows on this device and on your other devices.',
  list: (device: string) => `Windows: ${device}`,
  row: {
    thisWindow: 'This window',
    link: (transport: string, roundTripMs: number) => `${transport}, ${roundTripMs} ms`,
    show: 'Show',
    showLabel: (name: string) => `Show ${name}`,
    bringHere: 'Bring here',
    bringHereLabel: (name: string) => `Bring here: ${name}`,
    send: 'Send to…',
    sendLabel: (name: string) => `Send to another device: ${name}`,
    syncScroll: 'Sync scroll',
    syncScrollLabel: (name: string) => `Sync scroll: ${name}`,
    closeLabel: (name: string) => `Close ${name}`,
  },
  openMore: {
    title: 'Open in its own window',
    /** @param hidden For whoever cannot see its colour. */
    isOpen: <Part>(name: Part, hidden: (text: string) => Part) => [name, hidden(', is open')] as const,
  },
  screens: {
    inUse: (count: number) =>
      count === 1 ? 'One screen is in use.' : `${plural(count, 'screen')} are in use.`,
    use: 'Use all my screens',
    denied: 'Blocked by the browser. Allow window management in this site’s settings.',
    hint: 'Windows reopen on the screen they were on. The browser asks you first.',
  },
  restore: {
    label: 'Windows that were open',
    sentence: (count: number) => (count === 1 ? 'A window was open' : `${plural(count, 'window')} were open`),
    dock: (count: number) => (count === 1 ? 'Dock it' : 'Dock them'),
    dismiss: 'Not now',
    open: (panel: string) => `Open ${panel}`,
  },
  blocked: {
    title: (name: string) => `${name} did not open`,
    description: 'The browser blocked its window. You can still open it in these ways:',
    openInTab: (name: string) => `Open ${name} in a tab`,
    address: (name: string) => `Address of ${name}`,
    code: (name: string) => `QR code of the address of ${name}`,
    codeHint:
      'Point the camera of a phone or tablet at it. There it opens with the rights of whoever is signed in.',
  },
  allowPopups: {
    title: 'How to allow windows for this site',
    text: 'Look for the icon of a blocked window at the right end of the address bar, choose “Always allow”, and try again. In Safari it is under Settings › Websites › Pop-up Windows. Then one click can open several windows.',
  },
} as const
