import { afterEach, expect, test, vi } from 'vitest'
import { openDocumentOver } from '@/lib/client.ts'
import { newDocumentId } from '@/lib/protocol/ids.ts'
import { fakeTransport, HANGS, REFUSES } from '@/lib/session/fixtures/fake-transports.ts'
import { ManualClock } from '@/lib/session/fixtures/manual-clock.ts'
import type { TransportFinding } from '@/lib/sync/status.ts'
import type { LinkTarget } from '@/lib/transports/transport.ts'
import { rememberTransport, rememberedTransport } from './remembered-transport.ts'
import { allowAnyTransport, waitingSentence } from './pinned-transport.ts'

const target = { origin: 'memory:', net: { roundTripMs: () => undefined } } as unknown as LinkTarget

const blocked: TransportFinding = { transport: 'websocket', at: 1, words: 'refused (403)' }
const silent: TransportFinding = { transport: 'sse', at: 2, words: 'held back: no answer within 2.0 s' }
const untried: TransportFinding = { transport: 'poll', words: 'not tried' }

test.each([
  ['automatic', [], 'Nothing has answered yet. Still trying…'],
  ['automatic', [untried], 'Nothing has answered yet. Still trying…'],
  [
    'automatic',
    [blocked, silent, untried],
    'Server-sent events: held back: no answer within 2.0 s. Trying again…',
  ],
  ['websocket', [], 'You chose to connect by WebSocket only. Nothing has answered yet. Still trying…'],
  [
    'websocket',
    [silent, blocked],
    'You chose to connect by WebSocket only. WebSocket: refused (403). Trying again…',
  ],
] as const)('%s, with %j tried, says: %s', (choice, evidence, sentence) => {
  expect(waitingSentence({ choice, evidence })).toBe(sentence)
})

test('a document that the server has closed for now is shown as such, whatever was tried', () => {
  const setAside = { code: 'set-aside', detail: 'The server tries again in 10 minutes.' } as const
  expect(waitingSentence({ choice: 'automatic', evidence: [blocked], setAside })).toBe(
    'This document is closed for now, because the server failed on it again and again. (The server tries again in 10 minutes.)',
  )
})

class FakeStorage implements Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  readonly #values = new Map<string, string>()
  getItem = (key: string) => this.#values.get(key) ?? null
  setItem = (key: string, value: string) => void this.#values.set(key, value)
  removeItem = (key: string) => void this.#values.delete(key)
}

function stubStorage(): void {
  vi.stubGlobal('window', { localStorage: new FakeStorage(), sessionStorage: new FakeStorage() })
}

afterEach(() => vi.unstubAllGlobals())

test.each([true, false])('a cleared pin is no longer remembered (only here: %s)', async (thisWindowOnly) => {
  stubStorage()
  rememberTransport('websocket', thisWindowOnly)
  const failingDocument = { switchTransport: () => Promise.reject(new Error('offline')) }
  await allowAnyTransport(failingDocument, thisWindowOnly)
  expect(rememberedTransport()).toBe('automatic')
})

test('a window whose pinned transport is blocked tries the others once the pin is cleared', async () => {
  const [websocket, sse] = [fakeTransport('websocket', REFUSES('403')), fakeTransport('sse', HANGS)] as const
  const clock = new ManualClock()
  const offered = new Map([websocket, sse].map((transport) => [transport.id, transport]))
  const opened = openDocumentOver(
    target,
    offered,
    { document: newDocumentId(), transport: 'websocket' },
    { clock },
  )
  await vi.waitFor(() => expect(opened.status.get().link.state).toBe('retrying'))
  expect(waitingSentence(opened.status.get())).toContain('403')
  const switching = allowAnyTransport(opened, false)
  expect([opened.status.get().choice, sse.signals.length]).toEqual(['automatic', 1])
  await opened.close()
  await switching
})
