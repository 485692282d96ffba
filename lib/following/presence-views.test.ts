import { expect, test } from 'vitest'
import { FollowingFixture } from './fixtures/following-fixture.ts'

/** Ada's windows on two devices. */
async function openTwoDevices() {
  const fixture = new FollowingFixture()
  const [desk, tablet] = [fixture.openWindow(), fixture.openWindow({ device: 'tablet' })]
  await fixture.settle()
  return { fixture, desk, tablet }
}

/** A window of Ada and one of Zoe. */
async function openTwoPeople() {
  const fixture = new FollowingFixture()
  const [desk, zoe] = [fixture.openWindow(), fixture.openWindow({ person: 'zoe', device: 'other' })]
  await fixture.settle()
  return { fixture, desk, zoe }
}

test('[W5] own windows on another device move along, by presence, both ways', async () => {
  const { fixture, desk, tablet } = await openTwoDevices()
  desk.text.scroll(34)
  await fixture.settle(500)
  expect(tablet.text.at).toBe(34)
  tablet.text.scroll(57)
  await fixture.settle(1_000)
  expect([desk.text.at, tablet.text.moves]).toEqual([57, [34]])
})

test('[W5] two devices that were moved at the very same moment, not knowing of each other, end in one place', async () => {
  const { fixture, desk, tablet } = await openTwoDevices()
  desk.text.scroll(10)
  await fixture.settle(20)
  tablet.text.scroll(80)
  await fixture.settle(20)
  // Both have just sent a view, so this one waits for a moment.
  desk.text.scroll(20)
  tablet.text.scroll(50)
  await fixture.settle(20)
  await fixture.settle(2_000)
  expect(desk.text.at).toBe(tablet.text.at)
})

test('a panel on another device moves the text here, and knows the section it is in', async () => {
  const fixture = new FollowingFixture()
  const [desk, outline] = [fixture.openWindow(), fixture.openWindow({ device: 'phone', hasText: false })]
  await fixture.settle()
  outline.following.goTo(desk.text.positionOf(60))
  await fixture.settle(500)
  expect(desk.text.at).toBe(60)
  desk.text.scroll(23)
  await fixture.settle(500)
  expect(outline.heading).toBe(20)
})

test('where nobody elsewhere follows, no view is sent by presence', async () => {
  const fixture = new FollowingFixture()
  const [a, b] = [fixture.openWindow(), fixture.openWindow()]
  fixture.openWindow({ person: 'zoe', device: 'other' })
  fixture.openWindow({ device: 'tablet', linked: false })
  await fixture.settle()
  const before = fixture.presenceBytes
  a.text.scroll(34)
  b.text.scroll(57)
  a.following.goTo(a.text.positionOf(3))
  await fixture.settle(1_000)
  expect([fixture.presenceBytes - before, a.view, b.view]).toEqual([0, null, null])
})

test('while somebody follows, a view is sent at most every 100 ms, the last one always, and removed at the end', async () => {
  const { fixture, desk, zoe } = await openTwoPeople()
  zoe.following.follow('ada')
  await fixture.settle(200)
  let updates = 0
  desk.awareness.on('update', () => (updates += 1))
  for (let step = 0; step < 50; step++) {
    desk.text.scroll(step)
    await fixture.settle(16)
  }
  await fixture.settle(200)
  expect(updates).toBeGreaterThan(4)
  expect(updates).toBeLessThanOrEqual(11)
  expect(zoe.text.at).toBe(49)
  zoe.following.follow(null)
  await fixture.settle()
  expect(desk.view).toBeNull()
})

test('a view that waits when the last follower leaves is not sent', async () => {
  const { fixture, desk, zoe } = await openTwoPeople()
  zoe.following.follow('ada')
  desk.text.scroll(41)
  await fixture.settle(20)
  desk.text.scroll(42)
  await fixture.settle(20)
  zoe.following.follow(null)
  await fixture.settle(500)
  expect(desk.view).toBeNull()
})

test('a window that begins to follow a person goes where that person is', async () => {
  const { fixture, desk, zoe } = await openTwoPeople()
  desk.text.scroll(41)
  await fixture.settle(500)
  zoe.following.follow('ada')
  await fixture.settle(500)
  expect(zoe.text.at).toBe(41)
})

test('of a person’s windows the one with the keyboard is followed, and then whichever is moved', async () => {
  const fixture = new FollowingFixture()
  const [desk, second] = [fixture.openWindow(), fixture.openWindow({ linked: false })]
  const [yan, zoe] = ['yan', 'zoe'].map((person) => fixture.openWindow({ person, device: person }))
  yan!.following.follow('ada')
  desk.text.scroll(41)
  second.text.scroll(70)
  desk.awareness.setLocalStateField('cursor', { anchor: {}, head: {} })
  await fixture.settle(500)
  zoe!.following.follow('ada')
  await fixture.settle(500)
  second.awareness.setLocalStateField('idle', true)
  await fixture.settle(500)
  expect(zoe!.text.moves).toEqual([41])
  second.text.scroll(71)
  await fixture.settle(500)
  expect(zoe!.text.at).toBe(71)
})

test('other changes in a followed person’s presence move nothing', async () => {
  const { fixture, desk, zoe } = await openTwoPeople()
  zoe.following.follow('ada')
  desk.text.scroll(41)
  await fixture.settle(500)
  const moves = zoe.text.moves.length
  desk.awareness.setLocalStateField('cursor', { anchor: {}, head: {} })
  await fixture.settle(500)
  expect(zoe.text.moves.length).toBe(moves)
})

test('scrolling or typing in a window ends its following a person', async () => {
  const { fixture, desk, zoe } = await openTwoPeople()
  zoe.following.follow('ada')
  desk.text.scroll(41)
  await fixture.settle(500)
  zoe.text.scroll(70)
  desk.text.scroll(42)
  await fixture.settle(1_000)
  expect([zoe.text.at, zoe.following.get().followed]).toEqual([70, null])
})

test('two who follow each other do not chase each other', async () => {
  const { fixture, desk: ada, zoe } = await openTwoPeople()
  ada.following.follow('zoe')
  zoe.following.follow('ada')
  await fixture.settle(500)
  zoe.text.scroll(70)
  await fixture.settle(2_000)
  expect([ada.text.at, zoe.text.at]).toEqual([70, 70])
  const moves = [ada.text.moves.length, zoe.text.moves.length]
  await fixture.settle(5_000)
  expect([ada.text.moves.length, zoe.text.moves.length]).toEqual(moves)
})

test('the linked windows of a browser follow a person together, from any of them, and stop together', async () => {
  const fixture = new FollowingFixture()
  const zoe = fixture.openWindow({ person: 'zoe', device: 'other' })
  const [desk, people] = [fixture.openWindow(), fixture.openWindow({ hasText: false })]
  await fixture.settle()
  people.following.follow('zoe')
  await fixture.settle()
  const preview = fixture.openWindow()
  zoe.text.scroll(34)
  await fixture.settle(500)
  expect([desk.text.at, preview.text.at]).toEqual([34, 34])
  preview.text.scroll(3)
  zoe.text.scroll(70)
  await fixture.settle(1_000)
  const followed = [desk, people, preview].map(({ following }) => following.get().followed)
  expect([desk.text.at, ...followed]).toEqual([3, null, null, null])
})

test('a person who is gone for longer than a link takes to come back is followed no more', async () => {
  const { fixture, desk, zoe } = await openTwoPeople()
  zoe.following.follow('ada')
  fixture.closeWindow(desk)
  await fixture.settle(4_000)
  expect(zoe.following.get().followed).toBe('ada')
  const again = fixture.openWindow()
  await fixture.settle(4_000)
  expect(zoe.following.get().followed).toBe('ada')
  fixture.closeWindow(again)
  await fixture.settle(6_000)
  expect(zoe.following.get().followed).toBeNull()
})

test.each([[7], [{ top: {} }], [{ top: { at: 'x'.repeat(1_000) }, n: 1 }], [{ top: { at: '!' }, n: 5 }]])(
  'a view that says %j moves nobody',
  async (view) => {
    const { fixture, desk, tablet } = await openTwoDevices()
    tablet.awareness.setLocalStateField('view', view)
    await fixture.settle(500)
    expect(desk.text.moves).toEqual([])
  },
)
