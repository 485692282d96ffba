import * as linkifyjs from 'linkifyjs'
import { describe, expect, test } from 'vitest'
import { deepEqual } from './fast-equals.ts'

describe('linkifyjs in pages', () => {
  const addresses =
    'See https://example.org/a?b=c, http://localhost:3000 (https://example.com) and HTTPS://EXAMPLE.NET.'

  test('before it is loaded, it finds what names its protocol, as linkifyjs does', async () => {
    const { find, tokenize } = await import('./linkifyjs.ts')
    const placesOf = (found: readonly { start: number; end: number; value: string; href: string }[]) =>
      found.map(({ start, end, value, href }) => ({ start, end, value, href }))
    expect(placesOf(find(addresses))).toEqual(placesOf(linkifyjs.find(addresses)))
    expect(find('example.org')).toEqual([])
    const isLink = (word: string) => tokenize(word).map((token) => token.toObject('https').isLink)
    expect(['https://example.org', 'https://example.org.', 'example.org', 'word'].map(isLink)).toEqual([
      [true],
      [false],
      [false],
      [false],
    ])
  })

  test('once it is loaded, it is linkifyjs', async () => {
    const { find, tokenize, loadLinkify } = await import('./linkifyjs.ts')
    await loadLinkify()
    expect(find('Write to ada@example.org or example.com')).toEqual(
      linkifyjs.find('Write to ada@example.org or example.com'),
    )
    expect(tokenize('example.com').map((token) => token.toObject('https').href)).toEqual([
      'https://example.com',
    ])
  })
})

test.each<[unknown, unknown, boolean]>([
  [true, true, true],
  [NaN, NaN, true],
  [1, '1', false],
  [null, {}, false],
  [{ on: [true, false] }, { on: [true, false] }, true],
  [{ on: [true, false] }, { on: [true] }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[], {}, false],
  [new Map(), new Map(), false],
])('deepEqual(%j, %j) is %s', (one, other, isEqual) => {
  expect(deepEqual(one, other)).toBe(isEqual)
})
