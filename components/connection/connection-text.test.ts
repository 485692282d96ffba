import { expect, test } from 'vitest'
import type { LinkStatus, StableSyncStatus } from '@/lib/sync/status.ts'
import { clockTime } from '@/components/ui/clock-time.ts'
import { automaticStateText, linkLabel, linkSentence, wallClockDate } from './connection-text.ts'

const up = (transport: 'websocket' | 'sse'): LinkStatus => ({
  state: 'up',
  info: { transport, protocol: 'h2', up: 'frames' },
})

const clockText = clockTime(wallClockDate(9_000))

test.each<[Partial<StableSyncStatus>, string | null]>([
  [{ choice: 'automatic', link: up('websocket') }, 'In use: WebSocket.'],
  [
    { choice: 'automatic', link: up('sse'), nextProbe: { transport: 'websocket', at: 9_000 } },
    `In use: Server-sent events. WebSocket is tried again at ${clockText}.`,
  ],
  [
    { choice: 'automatic', link: up('sse'), nextProbe: { transport: 'websocket', at: 5_000 } },
    'In use: Server-sent events. Trying WebSocket again.',
  ],
  [{ choice: 'automatic', link: { state: 'connecting' } }, null],
  [{ choice: 'sse', link: up('sse') }, null],
])('[S5] what Automatic does now: %j', (status, expected) => {
  expect(automaticStateText(status as StableSyncStatus, 5_000)).toBe(expected)
})

test('the header says that there is a connection; other texts name the transport', () => {
  expect(linkLabel(up('sse'))).toBe('Connected')
  expect(linkSentence(up('sse'))).toBe('Connected by Server-sent events')
})

test('[T8] a simulated network is always named, whatever the link does', () => {
  expect(linkLabel({ state: 'retrying', reason: { code: 'lost' } }, true)).toBe('Simulated: Offline')
  expect(linkSentence({ state: 'connecting' }, true)).toBe('Connecting…, over a simulated network')
})
