import { expect, test } from 'vitest'
import { readWindowRequest } from './window-requests.ts'
import { readWindowBounds } from './window-bounds.ts'
import { windowPathOf, readWindowState, type WindowState } from './window-state.ts'

const document = 'AAAAAAAAAAAAAAAAAAAAAA'

const state: WindowState = {
  id: 'w',
  place: 'p',
  n: 3,
  kind: 'outline',
  document,
  title: 'Outline – Budget plan',
  device: { id: 'd', name: 'Chrome on Linux' },
  bounds: { left: 1, top: 2, width: 3, height: 4 },
  openedAt: 4,
  focusedAt: 5,
  active: true,
  popup: true,
  linked: true,
  link: { transport: 'sse', choice: 'automatic', protocol: 'h2', roundTripMs: 4 },
  asks: [{ id: 'a', to: 'v', what: { type: 'close' } }],
  heard: ['b'],
}

test('a state is read as it was sent', () => {
  expect(readWindowState(JSON.parse(JSON.stringify(state)))).toEqual(state)
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no object', 'text'],
  ['an unknown kind', { ...state, kind: 'minimap' }],
  ['no device', { ...state, device: 'Chrome' }],
  ['a name that is a book', { ...state, id: 'x'.repeat(201) }],
])('%s is no state', (_what, value) => {
  expect(readWindowState(value)).toBeUndefined()
})

test('only the beginning of a very long title is read', () => {
  expect(readWindowState({ ...state, title: 'x'.repeat(1_000) })?.title).toBe('x'.repeat(200))
})

test('an invalid detail becomes nothing, not a guess', () => {
  const wrong = {
    bounds: { left: NaN },
    link: 7,
    document: '../..',
    focusedAt: 'now',
    asks: [{ to: 1 }],
    heard: 7,
  }
  const read = readWindowState({ ...state, ...wrong })
  expect(read).toMatchObject({ document: null, focusedAt: 0, asks: [], heard: [] })
  expect(read?.bounds).toBeUndefined()
  expect(read?.link).toBeUndefined()
  expect(readWindowBounds({ left: 0, top: 0, width: 0, height: 9 })).toBeUndefined()
})

test.each<[unknown, unknown]>([
  [{ type: 'close' }, { type: 'close' }],
  [{ type: 'constructor' }, undefined],
  [{ type: 'fly' }, undefined],
  [{ type: 'open', document: 'x', kind: 'outline', title: '' }, undefined],
  [
    { type: 'open', document, kind: 'outline', title: 7 },
    { type: 'open', document, kind: 'outline', title: '' },
  ],
  [{ type: 'open', document, kind: 'settings' }, undefined],
  [{ type: 'link', linked: 'yes' }, undefined],
  [
    { type: 'dock', panel: 'outline' },
    { type: 'dock', panel: 'outline' },
  ],
  [{ type: 'dock', panel: 'text' }, undefined],
  [{ type: 'cut' }, { type: 'cut' }],
  [
    { type: 'simulate', conditions: null },
    { type: 'simulate', conditions: null },
  ],
  [{ type: 'simulate' }, undefined],
  [{ type: 'simulate', conditions: { delayMs: 1e9 } }, undefined],
  [
    { type: 'simulate', conditions: { delayMs: 25, jitterMs: 0, silent: false, blocked: ['sse', 7] } },
    { type: 'simulate', conditions: { delayMs: 25, jitterMs: 0, silent: false, blocked: ['sse'] } },
  ],
])('the request %j is read as %j', (value, expected) => {
  expect(readWindowRequest(value)).toEqual(expected)
})

test.each([
  [{ kind: 'text', document }, `/d/${document}`],
  [{ kind: 'outline', document }, `/d/${document}/p/outline`],
  [{ kind: 'documents', document: null }, '/'],
  [{ kind: 'settings', document: null }, '/settings'],
] as const)('the page of %j is %s', (window, path) => {
  expect(windowPathOf(window)).toBe(path)
})
