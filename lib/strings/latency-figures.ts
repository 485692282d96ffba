import { plural } from './plural.ts'

/** The latency overlay, and what the inspector and the lab say of the same figures. */
export const latencyFiguresStrings = {
  overlay: 'Latency',
  loading: 'Loading…',
  simulated: 'Simulated',
  head: {
    moveTo: {
      'top-left': 'Move to the top left',
      'top-right': 'Move to the top right',
      'bottom-right': 'Move to the bottom right',
      'bottom-left': 'Move to the bottom left',
    },
    inspect: 'Open the inspector',
    less: 'Show less',
    more: 'Show more',
  },
  roundTrip: {
    name: 'Round trip',
    least: (ms: string) => `least ${ms}`,
  },
  verdicts: { good: 'good', fair: 'fair', poor: 'poor' },
  limits: (good: string, fair: string) => `Good up to ${good} ms, fair up to ${fair} ms here`,
  figures: {
    name: 'Figures',
    empty:
      'Type something: each edit is timed from its key to your screen, to the server’s disk, and to every other window.',
    notCounted: (edits: string) => `Not counted: ${edits}.`,
  },
  table: {
    caption: 'From the key, in milliseconds',
    lastEdits: (count: number) => `Last ${count === 1 ? 'edit' : plural(count, 'edit')}, ms`,
    parts: { p50: 'p50', p95: 'p95', p99: 'p99', max: 'max' },
    verdict: 'p95 is',
    gone: '(gone)',
    nobody: 'Nobody else has this document open.',
  },
  stages: {
    ownPaint: 'Own paint',
    sent: 'Sent',
    acknowledged: 'Acknowledged',
    saved: 'Saved',
    received: 'Received',
    applied: 'Applied',
    painted: 'Painted',
  },
  paths: {
    browser: 'within the browser',
    server: 'by the server',
  },
  allBy: (path: string) => `all ${path}`,
  editsBy: (edits: string, path: string) => `${edits} ${path}`,
  clocks: {
    unknown: 'clocks not compared yet',
    bound: (ms: string) => `± ${ms} ms`,
  },
  windows: {
    program: 'A program',
    programDevice: 'a program',
    onDevice: (window: string, device: string) => `${window} on ${device}`,
  },
  queueAndTraffic: {
    queue: 'Waiting to send',
    nothingQueued: 'nothing',
    queued: (edits: number, bytes: string) => `${plural(edits, 'edit')}, ${bytes}`,
    perKey: 'Bytes per key, in frames',
    upAndDown: (up: string, down: string) => `${up} up, ${down} down`,
    framesAlone:
      'Diptych’s own frames alone: what WebSocket or HTTP, and TLS, put around them is not counted',
    switches: 'Reconnects, switches',
    lastChange: 'Last change',
    lastChanges: 'Last changes',
    change: (transport: string, reason: string) => `${transport}: ${reason}`,
    reconnected: (transport: string, reason: string) => `${transport} again: ${reason}`,
  },
  links: {
    simulated: (transport: string) => `${transport}, simulated`,
    edits: (edits: string, link: string) => `${edits} by ${link}`,
  },
  units: {
    ms: (amount: string) => `${amount} ms`,
    bytes: (amount: string) => `${amount} B`,
    kibibytes: (amount: string) => `${amount} KiB`,
    mebibytes: (amount: string) => `${amount} MiB`,
  },
} as const
