import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pointBelow } from './text-geometry.ts'

const LINE = 20

/** Blocks without letters, as high as a line, that count each measurement. */
function blocksFixture() {
  const counted = { rects: 0, styles: 0 }
  const leaf = (top: number, inline: boolean) => ({
    children: [],
    inline,
    getAttribute: () => null,
    getBoundingClientRect() {
      counted.rects += 1
      return { bottom: top + LINE }
    },
  })
  const text = (count: number, isInline = (_at: number) => false) => ({
    children: Array.from({ length: count }, (_, at) => leaf(at * LINE, isInline(at))),
  })
  vi.stubGlobal('getComputedStyle', ({ inline }: { inline: boolean }) => {
    counted.styles += 1
    return { display: inline ? 'inline-block' : 'block' }
  })
  return { counted, text }
}

const indexBelow = (text: { children: object[] }, y: number) => {
  const point = pointBelow(text as unknown as Element, y)
  return point && text.children.indexOf(point.node)
}

beforeEach(() => {
  vi.stubGlobal('document', { createTreeWalker: () => ({ nextNode: () => null }) })
  vi.stubGlobal('NodeFilter', {})
})
afterEach(() => vi.unstubAllGlobals())

test.each([0, 1, 250, 499])('line %i of 500 is the first that reaches below its own middle', (line) => {
  expect(indexBelow(blocksFixture().text(500), line * LINE + LINE / 2)).toBe(line)
})

test('below all lines no line is found', () => {
  expect(indexBelow(blocksFixture().text(500), 500 * LINE)).toBeNull()
})

test('elements that are no blocks are skipped', () => {
  const { text } = blocksFixture()
  const odd = text(500, (at) => at % 3 !== 2)
  expect(indexBelow(odd, 100 * LINE + LINE / 2)).toBe(101)
  expect(indexBelow(odd, 499 * LINE + LINE / 2)).toBeNull()
})

test('a text of a hundred times as many blocks needs only a few more lookups', () => {
  const measurements = [100, 10_000].map((count) => {
    const { counted, text } = blocksFixture()
    indexBelow(text(count), (count * LINE) / 2)
    return counted
  })
  const [few, many] = measurements as [{ rects: number; styles: number }, { rects: number; styles: number }]
  expect(many.rects - few.rects).toBeLessThanOrEqual(8)
  expect(many.styles - few.styles).toBeLessThanOrEqual(8)
})
