import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { FollowingFixture } from './fixtures/following-fixture.ts'

test('[W5] linked windows of one browser show the same place, and a window that moved along sends nothing on', async () => {
  const fixture = new FollowingFixture()
  const [a, b, c] = [fixture.openWindow(), fixture.openWindow(), fixture.openWindow()]
  await fixture.settle()
  a.text.scroll(34)
  await fixture.settle()
  expect([b.text.moves, c.text.moves]).toEqual([[34], [34]])
  expect(a.text.moves).toEqual([])
  b.text.scroll(57)
  await fixture.settle(1_000)
  expect([a.text.at, c.text.at, b.text.moves]).toEqual([57, 57, [34]])
})

test('[W5] a position is one in the text: what others write above it shifts nothing', async () => {
  const fixture = new FollowingFixture()
  const [a, b] = [fixture.openWindow(), fixture.openWindow()]
  await fixture.settle()
  const element = new Y.XmlElement('paragraph')
  b.fragment.insert(0, [element])
  a.text.scroll(34)
  await fixture.settle()
  expect(b.text.at).toBe(35)
})

test('a window that is unlinked moves alone, is moved by no other, and goes where the others are when it is linked again', async () => {
  const fixture = new FollowingFixture()
  const [a, b, c] = [fixture.openWindow(), fixture.openWindow(), fixture.openWindow()]
  await fixture.settle()
  b.following.setLinked(false)
  a.text.scroll(10)
  b.text.scroll(70)
  await fixture.settle(1_000)
  expect([a.text.at, b.text.at, c.text.at]).toEqual([10, 70, 10])
  b.following.setLinked(true)
  await fixture.settle(1_000)
  expect([a.text.at, b.text.at, c.text.at]).toEqual([10, 10, 10])
})

test('of two windows that are scrolled at once neither moves the other, and the one that was scrolled last wins', async () => {
  const fixture = new FollowingFixture()
  const [a, b] = [fixture.openWindow(), fixture.openWindow()]
  await fixture.settle()
  for (let step = 0; step < 10; step++) {
    a.text.scroll(10 + step)
    b.text.scroll(80 - step)
    await fixture.settle(50)
  }
  expect([a.text.moves, b.text.moves]).toEqual([[], []])
  b.text.scroll(60)
  await fixture.settle(1_000)
  expect([a.text.at, b.text.at, a.text.moves]).toEqual([60, 60, [60]])
})

test('two windows that moved at the very same moment, not knowing of each other, end in one place', async () => {
  const fixture = new FollowingFixture()
  const [a, b, c] = [fixture.openWindow(), fixture.openWindow(), fixture.openWindow()]
  await fixture.settle()
  a.text.scroll(20)
  b.text.scroll(50)
  await fixture.settle(2_000)
  expect(new Set([a.text.at, b.text.at, c.text.at]).size).toBe(1)
})

test('a window that opens goes where the linked ones are, and knows their section', async () => {
  const fixture = new FollowingFixture()
  const a = fixture.openWindow()
  a.text.scroll(47)
  await fixture.settle()
  const preview = fixture.openWindow()
  const outline = fixture.openWindow({ hasText: false })
  await fixture.settle()
  expect([preview.text.at, outline.heading]).toEqual([47, 40])
})

test('the section follows the caret, and nothing scrolls for that', async () => {
  const fixture = new FollowingFixture()
  const [a, outline, preview] = [
    fixture.openWindow(),
    fixture.openWindow({ hasText: false }),
    fixture.openWindow(),
  ]
  await fixture.settle()
  a.text.scroll(5)
  await fixture.settle()
  const [moves, looks] = [preview.text.moves.length, a.text.readCount]
  a.text.caret = 23
  a.text.handle.onSelect()
  await fixture.settle(1_000)
  expect([outline.heading, a.heading, preview.text.moves.length]).toEqual([20, 20, moves])
  // A caret event comes with each key, so the top must not be read off the screen for it.
  expect(a.text.readCount).toBe(looks)
})

test('what is selected in one window is shown in the others', async () => {
  const fixture = new FollowingFixture()
  const [a, b] = [fixture.openWindow(), fixture.openWindow()]
  await fixture.settle()
  const selection = { at: a.text.positionOf(3).at, to: a.text.positionOf(4).at }
  a.text.selection = selection
  a.text.handle.onSelect()
  await fixture.settle()
  expect([a.text.marked, b.text.marked]).toEqual([null, selection])
  a.text.selection = null
  a.text.handle.onSelect()
  await fixture.settle()
  expect(b.text.marked).toBeNull()
})

test('two surfaces of one window move together', async () => {
  const fixture = new FollowingFixture()
  const a = fixture.openWindow()
  const preview = a.addSurface()
  preview.scroll(31)
  await fixture.settle()
  expect([a.text.at, preview.moves]).toEqual([31, []])
})

test('going to a position moves the text of this window, and with it those that follow', async () => {
  const fixture = new FollowingFixture()
  const [a, b, apart] = [fixture.openWindow(), fixture.openWindow(), fixture.openWindow({ linked: false })]
  await fixture.settle()
  a.following.goTo(a.text.positionOf(60))
  await fixture.settle()
  expect([a.text.at, b.text.at, apart.text.at]).toEqual([60, 60, 0])
  expect([a.heading, b.heading]).toEqual([60, 60])
})

test('a panel without text moves the windows that follow, though it does not follow itself', async () => {
  const fixture = new FollowingFixture()
  const [a, outline, apart] = [
    fixture.openWindow(),
    fixture.openWindow({ hasText: false, linked: false }),
    fixture.openWindow({ linked: false }),
  ]
  await fixture.settle()
  outline.following.goTo(a.text.positionOf(60))
  await fixture.settle()
  expect([a.text.at, apart.text.at]).toEqual([60, 0])
})

test('a text that is drawn after its window went somewhere opens there, and what is at its top is known', async () => {
  const fixture = new FollowingFixture()
  const [a, late] = [fixture.openWindow(), fixture.openWindow({ hasText: false, linked: false })]
  await fixture.settle()
  expect(late.following.readTop()).toBeNull()
  late.following.goTo(a.text.positionOf(60))
  const surface = late.addSurface()
  await fixture.settle()
  expect(surface.at).toBe(60)
  expect(late.following.readTop()).toEqual(surface.positionOf(60))
})

test('going somewhere in an unlinked window does not move the others', async () => {
  const fixture = new FollowingFixture()
  const [a, apart] = [fixture.openWindow(), fixture.openWindow({ linked: false })]
  await fixture.settle()
  apart.following.goTo(a.text.positionOf(60))
  await fixture.settle(1_000)
  expect([a.text.at, apart.text.at]).toEqual([0, 60])
})

test('a position that is gone moves no window', async () => {
  const fixture = new FollowingFixture()
  const [a, b] = [fixture.openWindow(), fixture.openWindow()]
  await fixture.settle()
  const position = a.text.positionOf(60)
  for (const { fragment } of [a, b]) fragment.delete(60, 1)
  a.following.goTo(position)
  await fixture.settle()
  expect([a.text.moves, b.text.moves]).toEqual([[], []])
})

test('a section is that of the last heading above', async () => {
  const fixture = new FollowingFixture()
  const a = fixture.openWindow()
  a.text.scroll(10)
  await fixture.settle()
  expect(a.heading).toBe(10)
  a.text.scroll(19)
  await fixture.settle()
  expect(a.heading).toBe(10)
})

test('a window that becomes wider shows the same place, even one that moves alone', async () => {
  const fixture = new FollowingFixture()
  const [a, apart] = [fixture.openWindow(), fixture.openWindow({ linked: false })]
  await fixture.settle()
  apart.text.scroll(30)
  a.text.scroll(34)
  await fixture.settle(1_000)
  for (const window of [a, apart]) {
    window.text.at = 0 // lines were broken anew
    window.text.handle.onResize()
  }
  await fixture.settle(1_000)
  expect([a.text.at, apart.text.at]).toEqual([34, 30])
})
