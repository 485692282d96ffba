import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { readWindowView, type WindowView } from '../following/view.ts'
import { readWindowState } from '../windows/window-state.ts'
import { newDocumentId } from './ids.ts'
import { readPresenceState, typeNamesIn } from './presence-state.ts'

const overTheWire = (state: object): unknown => JSON.parse(JSON.stringify(state))

function caretIn(doc: Y.Doc) {
  const text = new Y.XmlText('word')
  const line = new Y.XmlElement('paragraph')
  line.insert(0, [text])
  doc.getXmlFragment('default').insert(0, [line])
  return {
    anchor: Y.createRelativePositionFromTypeIndex(text, 1),
    head: Y.createRelativePositionFromTypeIndex(text, 4),
  }
}

describe('[W8] the presence of our own windows passes unchanged', () => {
  const view: WindowView = {
    top: { at: 'AQI=' },
    heading: { at: 'AQI=' },
    selection: { at: 'AQI=', to: 'AQM=' },
    within: true,
    go: true,
    n: 4,
  }
  const window = {
    id: 'w',
    place: 'p',
    n: 3,
    kind: 'text',
    document: newDocumentId(),
    title: 'A title',
    device: { id: 'd', name: 'Chrome on Linux' },
    bounds: { left: -5, top: 1.5, width: 800, height: 600 },
    screen: 'main',
    openedAt: 1,
    focusedAt: 2,
    active: true,
    popup: true,
    linked: false,
    link: { transport: 'sse', choice: 'automatic', protocol: 'h2', roundTripMs: 1.5 },
    simulated: { delayMs: 1, jitterMs: 0, silent: false, blocked: ['sse'] },
    asks: [
      { id: '1', to: 'x', what: { type: 'close' } },
      { id: '2', to: 'x', what: { type: 'open', document: newDocumentId(), kind: 'find', title: '' } },
      {
        id: '3',
        to: 'x',
        what: { type: 'move', bounds: undefined, left: 1, top: 2, width: 3, height: 4 },
      },
      { id: '4', to: 'x', what: { type: 'link', linked: true } },
      { id: '5', to: 'x', what: { type: 'wish', wish: { panel: 'find', text: 'word' } } },
      { id: '6', to: 'x', what: { type: 'transport', choice: 'poll' } },
      { id: '7', to: 'x', what: { type: 'simulate', conditions: null } },
    ],
    heard: ['1', '2'],
  }

  test.each([
    ['a window at work', { user: { id: 'a', name: 'A', color: '#aabbcc' }, cursor: caretIn(new Y.Doc()) }],
    ['a stock caret', { cursor: { anchor: { type: null, tname: 'default', item: null }, head: { item: { client: 1, clock: 0 }, assoc: -1 } } }], // prettier-ignore
    [
      'a caret of ours',
      { cursor: { anchor: { item: { client: 1, clock: 2 } }, head: { tname: 'default' } } },
    ],
    ['colours', { user: { name: 'A', color: 'rgb(1, 2, 3)', colorLight: 'hsl(1 50% 50%)' } }],
    ['no caret', { cursor: null, view: null, follows: null, idle: true }],
    ['a follower', { view, follows: 'user:a', window: { kind: 'text', device: 'Chrome', linked: true } }],
    ['a desk', { window }],
  ])('%s', (_what, state) => {
    expect(readPresenceState(overTheWire(state))).toEqual(overTheWire(state))
  })

  test('its readers read the same values', () => {
    const read = readPresenceState(overTheWire({ view, window }))!
    expect(readWindowView(read.view)).toEqual(view)
    expect(readWindowState(read.window)).toEqual(readWindowState(overTheWire(window)))
  })
})

test.each([[null], [7], ['here'], [[]], [undefined]])('[W8] %j is no state', (value) => {
  expect(readPresenceState(value)).toBeUndefined()
})

test.each([
  ['cursor', {}],
  ['cursor', { anchor: {}, head: {} }],
  ['cursor', { anchor: { item: null }, head: { item: null } }],
  ['cursor', { anchor: { item: { client: -1, clock: 0 } }, head: { tname: 'a' } }],
  ['cursor', { anchor: { item: { client: 1e99, clock: 0 } }, head: { tname: 'a' } }],
  ['cursor', { anchor: { tname: 'x'.repeat(65) }, head: { tname: 'a' } }],
  ['cursor', 7],
  ['user', 7],
  ['user', []],
  ['follows', 'x'.repeat(201)],
  ['idle', 'yes'],
  ['view', { top: { at: 'x'.repeat(121) }, n: 1 }],
  ['view', { top: { at: 'AQI=' }, n: 1.5 }],
  ['unknown', true],
])('[W8] a field %s of %j is left out', (field, value) => {
  expect(readPresenceState({ [field]: value, window: {} })).toEqual({ window: {} })
})

test('[W8] a state of any depth is read without recursion', () => {
  let deep: unknown = {}
  for (let depth = 0; depth < 100_000; depth++) deep = { user: deep, window: [deep] }
  expect(readPresenceState({ user: deep, window: deep, view: deep, cursor: deep })).toEqual({
    user: {},
    window: {},
  })
})

test('the type names in a cursor are found', () => {
  const head = { item: { client: 1, clock: 2 } }
  expect(typeNamesIn({ cursor: { anchor: { tname: 'default' }, head } })).toEqual(['default'])
  expect(typeNamesIn({ cursor: null })).toEqual([])
})
