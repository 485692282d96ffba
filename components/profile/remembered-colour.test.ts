import { afterEach, expect, test, vi } from 'vitest'
import { readColour, rememberColour } from './remembered-colour.ts'

afterEach(() => vi.unstubAllGlobals())

test('the colour of the person in each of the latest documents is remembered, and of nobody else', () => {
  const stored = new Map<string, string>()
  const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: stored.set.bind(stored) }
  vi.stubGlobal('localStorage', storage)
  for (let document = 1; document <= 30; document++) rememberColour(`d${document}`, 'ada', `#${document}`)
  rememberColour('d30', 'ada', '#31')
  expect(readColour('d30', 'ada')).toBe('#31')
  expect(readColour('d30', 'bob')).toBeNull()
  expect(readColour('d11', 'ada')).toBe('#11')
  expect(readColour('d10', 'ada')).toBeNull()
})

test.each([['"nonsense"'], ['[1, {}]'], ['{']])('a store that holds %s remembers nothing', (value) => {
  vi.stubGlobal('localStorage', { getItem: () => value })
  expect(readColour('d', 'ada')).toBeNull()
})

test('without storage nothing is remembered, and nothing fails', () => {
  vi.stubGlobal('localStorage', undefined)
  rememberColour('d', 'ada', '#1')
  expect(readColour('d', 'ada')).toBeNull()
})
