import type { TransportId } from './transport.ts'

/** What people call them. */
export const transportLabels: Readonly<Record<TransportId, string>> = {
  websocket: 'WebSocket',
  sse: 'Server-sent events',
  stream: 'HTTP stream',
  'long-poll': 'Long polling',
  poll: 'Polling',
  memory: 'Memory',
}
