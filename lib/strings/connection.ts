/** The connection as a document's page tells it: the dot in the header, the sentence while nothing answers. */
export const connectionStrings = {
  button: {
    name: 'Connection',
    command: 'Choose how your windows connect',
    commandWords: (transports: readonly string[]) => `transport sse ${transports.join(' ')}`,
  },
  /** Beside the dot. */
  dot: {
    connecting: 'Connecting',
    up: 'Connected',
    retrying: 'Offline',
    stopped: 'Stopped',
    simulated: (state: string) => `Simulated: ${state}`,
  },
  state: {
    connecting: 'Connecting…',
    up: (transport: string) => `Connected by ${transport}`,
    retrying: 'Offline, reconnecting…',
    stopped: 'Disconnected',
    simulated: (state: string) => `${state}, over a simulated network`,
  },
  /** Before the document is there. */
  waiting: {
    silent: 'Nothing has answered yet. Still trying…',
    failed: (transport: string, finding: string) => `${transport}: ${finding}. Trying again…`,
    pinned: (transport: string, why: string) => `You chose to connect by ${transport} only. ${why}`,
  },
  automatic: {
    name: 'Automatic',
    explanation: 'Uses the best transport that works on this network, and switches when it stops working.',
    inUse: (transport: string) => `In use: ${transport}.`,
    trying: (transport: string, better: string) => `In use: ${transport}. Trying ${better} again.`,
    tryingAt: (transport: string, better: string, time: string) =>
      `In use: ${transport}. ${better} is tried again at ${time}.`,
  },
  switchFailed: (transport: string, why: string) => `${transport} did not connect. ${why}`,
  protocols: {
    'http/1.1': 'HTTP/1.1',
    h2: 'HTTP/2',
    h3: 'HTTP/3',
  },
  unknownProtocol: 'not reported by the browser',
  uploads: {
    frames: 'Frames on the same connection',
    'streamed body': 'One streamed request',
    'batched posts': 'Requests in batches',
  },
  sharing: {
    automatic: 'Automatic',
    always: 'Always',
    never: 'Never',
  },
} as const
