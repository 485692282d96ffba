import { expect, test } from 'vitest'
import { canReopen, openWindow, type OpenerPlatform } from './open-window.ts'

const document = '/d/AAAAAAAAAAAAAAAAAAAAAA'
const outline = `${document}/p/outline`

/** A browser that allows one window for each click, as all do by default. */
function browserWithOneClick(loadedFrom: string, clicks: 0 | 1 = 1) {
  let left: number = clicks
  const opened: string[][] = []
  const platform: OpenerPlatform = {
    loadedFrom,
    hasClick: () => left > 0,
    open(address, _target, features) {
      if (left === 0) return null
      left--
      opened.push([address, features])
      return features.startsWith('noopener') ? null : {}
    },
  }
  return { platform, opened }
}

test.each([
  ['a panel from the text', document, outline, 'popup'],
  ['a panel from a panel, which would share its process', outline, outline, 'noopener,popup'],
  ['the text from a panel', outline, document, 'popup'],
  ['the text from the text', document, document, 'noopener,popup'],
  ['a panel from the list', '/', outline, 'popup'],
])('[W1] %s', (_title, from, to, features) => {
  const { platform, opened } = browserWithOneClick(from)
  expect(openWindow(to, { slotId: 'p' }, platform)).toBe('opened')
  expect(opened).toEqual([[`${to}#place=p`, features]])
  expect(openWindow(to, { slotId: 'q' }, platform), 'a click opens one window').toBe('blocked')
})

test('a new window has a slot and bounds of its own, in whole px', () => {
  const { platform, opened } = browserWithOneClick(document)
  openWindow(outline, { bounds: { left: -10.4, top: 0.6, width: 400, height: 300 } }, platform)
  expect(opened[0]?.[0]).toMatch(/^\/d\/A+\/p\/outline#place=[\w-]{22}$/)
  expect(opened[0]?.[1]).toBe('popup,left=-10,top=1,width=400,height=300')
})

test('in a browser that does not report clicks every window counts as opened', () => {
  const { platform } = browserWithOneClick(outline)
  expect(openWindow(outline, {}, { ...platform, hasClick: () => undefined })).toBe('opened')
})

test.each([
  [{ sameBrowser: true, kind: 'outline', popup: true }, true],
  [{ sameBrowser: true, kind: 'outline', popup: false }, true],
  [{ sameBrowser: true, kind: 'text', popup: true }, true],
  [{ sameBrowser: true, kind: 'text', popup: false }, false],
  [{ sameBrowser: false, kind: 'outline', popup: true }, false],
] as const)('%j is reopened to be shown: %s', (window, expected) => {
  expect(canReopen(window)).toBe(expected)
})
