import { plural } from './plural.ts'

/** The Connection panel, from the list of windows down to the transport of this one. */
export const inspectorStrings = {
  thisOne: '(this one)',
  nameOfThisOne: (window: string) => `${window} (this one)`,
  windowBy: (window: string, transport: string) => `${window}, ${transport}`,
  windows: {
    title: 'Your windows',
    figures: 'Your windows, in figures',
    window: 'Window',
    transport: 'Transport',
    transportOf: (window: string) => `Transport of ${window}`,
    notConnected: 'Not connected',
    roundTrip: 'Round trip',
    bytesPerKey: 'Bytes per keystroke, up / down',
    waiting: 'Waiting',
    device: 'Device',
    thisBrowser: 'This device',
    before: (edits: number, transport: string) => `${plural(edits, 'edit')} before, by ${transport}`,
    note: (aboutBytes: string) =>
      `Delays from the key in ms, p50 / p95, of each window’s last 200 edits of this document, by transport. Bytes: ${aboutBytes}.`,
  },
  /** All charts over time use these. */
  time: {
    mark: (seconds: number) => (seconds === 0 ? 'now' : `−${-seconds} s`),
    secondsAgo: 'Seconds ago',
    span: (from: number, to: number) => `${from} to ${to}`,
  },
  roundTrips: {
    title: 'Round trips',
    sentence:
      'From each of your windows to the server and back, over the last two minutes. In the table, the latest of each span, in ms.',
    empty: 'No round trip has been measured yet.',
  },
  sideBySide: {
    title: 'Windows side by side',
    sentence: (stage: string) =>
      `From the key to “${stage}”: percentiles of the last edits of each window, by transport.`,
    empty: 'Nothing measured yet. Type, switch transport, type again.',
    head: 'Window, transport',
    inMs: (percentile: string) => `${percentile}, ms`,
    edits: 'Edits',
    stage: 'Stage',
  },
  /** From the key to every screen. */
  stages: {
    title: 'From the key to every screen, ms',
    madeIn: 'Edits made in',
    by: (transport: string) => `Edits by ${transport}.`,
    notConnected: 'Not connected now.',
    notCounted: (earlier: string) => `Not counted: ${earlier}.`,
    figures: 'Stages, in figures',
    caption: 'From the key to each stage, in milliseconds',
    stage: 'Stage',
    legend: '● p50, bar to p95, line to p99',
    edits: 'Edits',
    verdict: 'p95 is',
    notPainted: (edits: number) => `${edits} not painted: the page was not drawn`,
    gone: 'gone',
  },
  edits: {
    title: 'Single edits',
    order: 'Order of the edits',
    newest: 'Newest first',
    slowest: 'Slowest first',
    empty: 'Type in this document to see each edit here, step by step.',
    caption: 'The latest edits, in milliseconds from the key',
    edit: 'Edit',
    lastScreen: 'Last screen',
  },
  /** One edit, step by step. */
  edit: {
    caption: (edit: number) => `Edit ${edit}, in milliseconds from its key`,
    step: 'Step',
    fromKey: 'From the key',
    by: (transport: string) => `by ${transport}`,
    first: (path: string) => `first ${path}`,
    goneWindow: 'A window that is gone',
    inText: 'In the text',
    notDrawn: 'the page was not drawn',
    refused: 'refused',
    notSeen: 'not seen',
  },
  histogram: {
    title: 'How long edits took',
    sentence:
      'How many of the last edits took how long, in ms from the key. Steps are wider for longer delays.',
    sentenceBy: (transport: string) =>
      `How many of the last edits by ${transport} took how long, in ms from the key. Steps are wider for longer delays.`,
    empty: 'No edit has reached this stage yet.',
    stage: 'Stage that edits are counted at',
    stageIn: (stage: string, window: string) => `${stage}: ${window}`,
    head: 'From the key, ms',
    edits: 'Edits',
    between: (from: number, to: number) => `${from}–${to}`,
    over: (from: number) => `over ${from}`,
  },
  traffic: {
    title: 'Bytes per second',
    sentence: (aboutBytes: string) =>
      `Over the connections of your windows, including what this inspector sends. ${aboutBytes}. In the table, the mean of each span.`,
    empty: 'Counting.',
    direction: 'Direction',
    up: 'Up',
    down: 'Down',
  },
  events: {
    title: 'Switches and reconnects',
    empty: 'None: every window has kept the connection it began with.',
    switched: (from: string, to: string) => `${from} to ${to}`,
    reconnected: (transport: string) => `${transport}, reconnected`,
    why: (window: string, reason: string) => `${window}: ${reason}`,
  },
  samples: {
    title: (window: string) => `Samples of ${window}`,
    own: 'Every edit made in this window since this panel was opened or reset, with all its stages in every window and its transport, and every round trip.',
    received: (edits: number) =>
      `This window knows ${plural(edits, 'edit')} of that window. An inspector in that window has them all.`,
    json: 'Export JSON',
    csv: 'Export CSV',
    reset: 'Reset this window’s figures',
  },
  simulator: {
    title: 'Network simulator',
    hint: 'Tries a worse network in one of your windows. Nobody else is slowed down, nothing is lost, and it ends when that window reloads.',
    window: 'Window',
    delay: 'Delay each way',
    jitter: 'Jitter, up to',
    silent: 'Silent: the connection stays open, but nothing passes',
    block: 'Block',
    cut: 'Cut the connection',
    clear: 'Back to the real network',
  },
  counters: {
    title: 'Traffic',
    direction: 'Direction',
    frames: 'Frames',
    bytes: 'Bytes',
    up: 'Up',
    down: 'Down',
    links: (count: number, aboutBytes: string) =>
      `${plural(count, 'connection')} since this window opened. ${aboutBytes}.`,
  },
  transportOf: { allWindows: 'Transport of your windows', thisWindow: 'Transport of this window' },
} as const
