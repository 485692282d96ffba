/** The dialog in which a transport is chosen. The Connection panel shows its parts, too. */
export const connectionDialogStrings = {
  title: 'Connection',
  description: {
    allWindows: 'How all your windows in this browser connect. You can change it while you write.',
    thisWindow: 'How this window connects. You can change it while you write.',
  },
  transport: {
    label: 'Transport',
    progress: 'Switching',
    switching: (transport: string) => `Switching to ${transport}…`,
    switchingWhileUp: (transport: string) =>
      `Switching to ${transport}… The current connection stays open until the new one works.`,
    onlyHere: 'Choose for this window only',
  },
  sharing: {
    label: 'Share one connection among my windows',
    hint: 'Automatic shares it over HTTP/1.1, where browsers allow only a few connections. WebSocket does not need it.',
  },
  inUse: {
    title: 'In use',
    transport: 'Transport',
    protocol: 'Protocol',
    upload: 'Upload',
    shared: 'Shared',
    sharedWith: { others: 'With your other windows in this browser', nobody: 'With no other window yet' },
    roundTrip: 'Round trip',
    notMeasured: 'not measured yet',
    switches: 'Switches',
    longestGap: 'Longest gap',
    noGap: 'none',
    overHttp:
      'This page came over http, where browsers speak HTTP/1.1. Open the https address that the server printed to get HTTP/2: all your windows then share one connection. There you are another guest, and the documents you wrote here are not in your list.',
  },
  evidence: {
    title: 'Tested transports',
  },
  offline: {
    refused:
      'This page cannot be opened offline. Most likely, the browser does not trust the server’s certificate. What you write is still saved on this device.',
  },
} as const
