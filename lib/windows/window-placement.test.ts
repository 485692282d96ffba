import { expect, test } from 'vitest'
import { boundsBeside, fitToScreens, screenOf } from './window-placement.ts'
import type { WindowBounds } from './window-bounds.ts'

const box = (left: number, top: number, width: number, height: number): WindowBounds => ({
  left,
  top,
  width,
  height,
})

const laptop = box(0, 0, 1440, 900)
const wide = box(1440, 0, 2560, 1440)
const leftScreen = box(-1920, 0, 1920, 1080)
const phone = box(0, 0, 390, 844)

test.each<[string, WindowBounds, readonly WindowBounds[], WindowBounds]>([
  ['whole on its screen: as it was', box(100, 100, 400, 600), [laptop, wide], box(100, 100, 400, 600)],
  ['on the second screen', box(2000, 50, 900, 1200), [laptop, wide], box(2000, 50, 900, 1200)],
  ['the second screen is unplugged', box(2000, 50, 900, 1200), [laptop], box(540, 0, 900, 900)],
  ['on a screen to the left', box(-1900, 0, 800, 1000), [laptop, leftScreen], box(-1900, 0, 800, 1000)],
  ['over an edge', box(1300, 800, 400, 400), [laptop], box(1040, 500, 400, 400)],
  [
    'between two screens: where most of it is',
    box(1340, 0, 400, 400),
    [laptop, wide],
    box(1440, 0, 400, 400),
  ],
  ['larger than the screen', box(-50, -50, 4000, 4000), [laptop], laptop],
  ['as good as invisible', box(10, 10, 1, 1), [laptop], box(10, 10, 320, 240)],
  ['a screen smaller than any window', box(0, 0, 900, 900), [box(0, 0, 200, 200)], box(0, 0, 200, 200)],
  ['no screen is known', box(5, 5, 400, 400), [], box(5, 5, 400, 400)],
])('fit: %s', (_title, wanted, screens, expected) => {
  expect(fitToScreens(wanted, screens)).toEqual(expected)
})

test.each<[string, WindowBounds, readonly WindowBounds[], readonly WindowBounds[], WindowBounds]>([
  ['room to the right', box(0, 0, 1000, 800), [laptop], [], box(1000, 0, 420, 800)],
  ['room to the left', box(500, 0, 940, 800), [laptop], [], box(80, 0, 420, 800)],
  ['a second screen', laptop, [laptop, wide], [], box(1440, 0, 420, 1440)],
  ['the right is taken', box(430, 0, 590, 800), [laptop], [box(1020, 0, 420, 800)], box(10, 0, 420, 800)],
  ['one full screen: over its right edge', laptop, [laptop], [], box(1020, 0, 420, 900)],
  [
    'and the next a step further',
    box(0, 0, 1440, 800),
    [laptop],
    [box(1020, 0, 420, 800)],
    box(988, 32, 420, 800),
  ],
  ['a phone', phone, [phone], [], phone],
])('beside: %s', (_title, main, screens, taken, expected) => {
  expect(boundsBeside(main, screens, taken)).toEqual(expected)
})

test('a window between two screens is on the one that has more of it, and one that is nowhere on the nearest', () => {
  expect(screenOf(box(1200, 0, 400, 400), [laptop, wide])).toBe(laptop)
  expect(screenOf(box(-3000, 0, 400, 400), [laptop, leftScreen])).toBe(leftScreen)
})
