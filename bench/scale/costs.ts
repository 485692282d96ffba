/** Lists the costs of connections, edits and messages. Each is a measured figure with a sentence that quotes it, or an assumption with its reason. */

type Basis = { readonly file: string; readonly quote: string } | { readonly assumed: string }

export interface Cost {
  readonly value: number
  readonly unit: string
  readonly basis: Basis
}

const measured = (value: number, unit: string, file: string, quote: string): Cost => ({
  value,
  unit,
  basis: { file, quote },
})
const assumed = (value: number, unit: string, reason: string): Cost => ({
  value,
  unit,
  basis: { assumed: reason },
})

const operations = 'docs/OPERATIONS.md'

export const costs = {
  'a window by WebSocket': measured(14.5, 'KiB', operations, '14.5 KiB of the server'),
  'a window by WebSocket with TLS': measured(30, 'KiB', operations, 'with TLS of its own about 30'),
  'a window by HTTP': assumed(30, 'KiB', 'its HTTP/2 connection has TLS of its own at most'),
  'an edit': measured(475, 'µs', operations, '104 to 475 µs of processor time'),
  'a delivery': measured(5.7, 'µs', operations, 'edits a second × 5.7 µs'),
  'an edit from another node': assumed(
    70,
    'µs',
    'what reading and checking an edit takes on the main thread (docs/PERFORMANCE.md, `rooms`)',
  ),
  'a message to or from Redis': assumed(5.7, 'µs', 'one write or read of a socket, as a delivery is'),
  'a message through Redis': assumed(5.7, 'µs', 'Redis reads or writes a socket for it, as a delivery does'),
  'a forwarded request': assumed(70, 'µs', 'its frame is read once more, as an edit is'),
  'an edit in PostgreSQL': assumed(83, 'µs', 'the store thread’s 141 µs on SQLite without the commit’s 58'),
  'a commit in PostgreSQL': assumed(58, 'µs', 'what SQLite takes'),
  'the time of a commit': assumed(5, 'ms', 'the aim for PostgreSQL; SQLite has 2.0 to 3.3'),
  'the bytes of a message': assumed(200, 'B', 'a letter or a caret, with the heads of frame, TLS and TCP'),
} as const satisfies Record<string, Cost>

export type CostName = keyof typeof costs
