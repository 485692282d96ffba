import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import {
  createDecoder,
  createEncoder,
  readNumber,
  toBytes,
  writeNumber,
  writeString,
} from '../protocol/wire.ts'
import { ChannelPresence } from './channel-presence.ts'

const update = (...states: [client: number, clock: number, text: string][]): Uint8Array => {
  const encoder = createEncoder()
  writeNumber(encoder, states.length)
  for (const [client, clock, text] of states) {
    writeNumber(encoder, client)
    writeNumber(encoder, clock)
    writeString(encoder, text)
  }
  return toBytes(encoder)
}

/** Reads the client of an update that holds one state. */
function clientOfUpdate(sentUpdate: Uint8Array): number {
  const decoder = createDecoder(sentUpdate)
  expect(readNumber(decoder)).toBe(1)
  return readNumber(decoder)
}

function openPresence() {
  const doc = new Y.Doc()
  doc.getXmlFragment('default')
  const [sendState, sendCaret] = [vi.fn<(update: Uint8Array) => void>(), vi.fn<(cursor: string) => void>()]
  const presence = new ChannelPresence(doc, { sendState, sendCaret })
  const { awareness } = presence
  const remoteStates = () => {
    const { [doc.clientID]: _own, ...rest } = Object.fromEntries(awareness.getStates())
    return rest
  }
  return { doc, presence, awareness, sendState, sendCaret, remoteStates }
}

const position = { item: { client: 5, clock: 7 } }

test('[W8] a state that fits the schema is taken in as it is', () => {
  const { presence, remoteStates } = openPresence()
  const state = {
    user: { id: 'user:ada', name: 'Ada', color: '#123456' },
    cursor: { anchor: position, head: { type: null, tname: 'default', item: null, assoc: 0 } },
  }
  presence.receive(update([7, 1, JSON.stringify(state)]), false)
  expect(remoteStates()).toEqual({ 7: state })
})

test.each([
  ['an empty cursor', { cursor: {} }, {}],
  ['a cursor without places', { cursor: { anchor: {}, head: {} } }, {}],
  ['a cursor of numbers', { cursor: { anchor: 1, head: 2 } }, {}],
  ['a fractional clock', { cursor: { anchor: { item: { client: 1, clock: 0.5 } }, head: position } }, {}],
  ['a user that is none', { user: 7 }, {}],
  ['a name that is no text', { user: { id: 'a', name: { toString: 1 } } }, { user: { id: 'a' } }],
  ['a colour that is a rule', { user: { color: 'red;position:fixed' } }, { user: {} }],
  ['a field that nobody knows', { toString: 1, idle: true }, { idle: true }],
  ['a view without a place', { view: { top: {}, n: 1 } }, {}],
  [
    'a type that is not in the text',
    { cursor: { anchor: { tname: 'made up' }, head: position } },
    { cursor: null },
  ],
])('[W8] of %s only what fits the schema is taken in', (_what, state, received) => {
  const { presence, remoteStates, doc } = openPresence()
  presence.receive(update([7, 1, JSON.stringify(state)]), false)
  expect(remoteStates()).toEqual({ 7: received })
  expect([...doc.share.keys()]).toEqual(['default'])
})

test.each([
  ['a number', '7'],
  ['a list', '[]'],
  ['no JSON', '{'],
])('[W8] a state that is %s is skipped, and others beside it are taken in', (_what, text) => {
  const { presence, remoteStates } = openPresence()
  presence.receive(update([7, 1, '{"idle":true}']), false)
  presence.receive(update([7, 2, text], [8, 1, '{}']), true)
  expect(remoteStates()).toEqual({ 7: { idle: true }, 8: {} })
})

test('[W8] a clock that is no safe integer is refused', () => {
  const { presence, remoteStates } = openPresence()
  const bytes = Uint8Array.of(1, 7, ...Array.from({ length: 40 }, () => 255), 1, 2, 123, 125)
  expect(() => presence.receive(bytes, false)).toThrow()
  expect(remoteStates()).toEqual({})
})

test('[W8] nobody else says where this window is; it sends its state again', () => {
  const { presence, awareness, sendState } = openPresence()
  awareness.setLocalState({ idle: true })
  sendState.mockClear()
  presence.receive(update([awareness.clientID, 1e9, '{"idle":false}']), false)
  expect(awareness.getLocalState()).toEqual({ idle: true })
  expect(sendState).toHaveBeenCalledOnce()
})

test('[W8] a long list has the states first, and then the names of all who are here', () => {
  const { presence, remoteStates } = openPresence()
  presence.receive(update([6, 1, '{}'], [7, 5, '{"idle":true}']), false)
  presence.receive(update([7, 8, '{"idle":false}']), false)
  presence.receive(update([8, 9, '{"idle":true}']), false)
  presence.receive(update([7, 0, '{}'], [8, 0, '{}']), true)
  expect(remoteStates()).toEqual({ 7: { idle: false }, 8: { idle: true } })
})

test('[W6] a caret is sent alone, and with the whole state only where that changed, or on a new link', () => {
  const { presence, awareness, sendState, sendCaret } = openPresence()
  awareness.setLocalState({ user: { id: 'user:ada' }, window: { kind: 'text' } })
  sendState.mockClear()
  awareness.setLocalStateField('cursor', { anchor: position, head: position })
  awareness.setLocalStateField('cursor', null)
  expect(sendCaret.mock.calls).toEqual([[JSON.stringify({ anchor: position, head: position })], ['null']])
  expect(sendState).not.toHaveBeenCalled()
  awareness.setLocalStateField('idle', true)
  presence.sendOwnState()
  awareness.setLocalState({ ...awareness.getLocalState(), idle: false, cursor: { anchor: position } })
  expect([sendState.mock.calls.length, sendCaret.mock.calls.length]).toEqual([3, 2])
})

test('[A5] a window that writes under another client id is shown under that, with its whole state', () => {
  const { doc, presence, awareness, sendState, remoteStates } = openPresence()
  const former = doc.clientID
  awareness.setLocalState({ idle: true })
  doc.clientID = former + 1
  sendState.mockClear()
  presence.sendOwnState()
  expect(awareness.clientID).toBe(doc.clientID)
  expect(awareness.getLocalState()).toEqual({ idle: true })
  expect(clientOfUpdate(sendState.mock.lastCall![0])).toBe(doc.clientID)
  presence.receive(update([former, 1e9, '{"idle":false}']), false)
  expect(remoteStates()).toEqual({ [former]: { idle: false } })
})
