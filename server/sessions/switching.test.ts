import { expect, test } from 'vitest'
import type { TransportId } from '../../lib/transports/transport.ts'
import { textOf, type, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

/** A line on which every frame takes some time, and keeps its order. */
function createSlowSchedule(): (run: () => void) => void {
  let before = Promise.resolve()
  return (run) => {
    before = before.then(() => new Promise((resolve) => setImmediate(resolve))).then(run)
  }
}

/** Counts how often this window saw itself without a link after its first. */
function watchGaps(window: FixtureWindow): { count: number } {
  const gaps = { count: 0 }
  window.status.subscribe(() => {
    if (window.status.get().link.state !== 'up') gaps.count += 1
  })
  return gaps
}

test('[S4] switching fifty times in mid-word loses and doubles no letter, and is never without a link', async () => {
  const fixture = await SessionFixture.open()
  const ada = fixture.openWindow('ada', { schedule: createSlowSchedule() })
  const bob = fixture.openWindow('bob', { schedule: createSlowSchedule(), transport: 'sse' })
  await Promise.all([ada.whenSynced, bob.whenSynced])
  const gaps = [watchGaps(ada), watchGaps(bob)]
  let letters = 0
  const typing = setInterval(() => {
    type(ada, `a${letters} `)
    bob.doc.getText('other').insert(0, `b${letters++} `)
  }, 1)
  for (let turn = 0; turn < 50; turn++) {
    const [up, down]: readonly TransportId[] = turn % 2 === 0 ? ['sse', 'websocket'] : ['websocket', 'sse']
    await Promise.all([ada.switchTransport(up!), bob.switchTransport(down!)])
    expect([ada.transport?.transport, bob.transport?.transport]).toEqual([up, down])
  }
  clearInterval(typing)
  await Promise.all([ada.whenSaved(), bob.whenSaved()])
  const numbers = Array.from({ length: letters }, (_, number) => number)
  const expected = {
    title: numbers.map((number) => `a${number} `).join(''),
    other: numbers
      .map((number) => `b${number} `)
      .reverse()
      .join(''),
  }
  await waitUntil(
    () => textOf(bob) === expected.title && ada.doc.getText('other').length === expected.other.length,
  )
  for (const doc of [ada.doc, bob.doc, await fixture.readStored()]) {
    expect({ title: doc.getText('title').toJSON(), other: doc.getText('other').toJSON() }).toEqual(expected)
  }
  expect(gaps).toEqual([{ count: 0 }, { count: 0 }])
  for (const window of [ada, bob]) expect(window.stats()).toMatchObject({ switches: 50, longestGapMs: 0 })
  expect(fixture.sessions.count).toBe(2)
})

test('[S4] [T7] a change of sharing opens the same transport again, and the window is never without a link', async () => {
  const fixture = await SessionFixture.open()
  const ada = fixture.openWindow('ada', { transport: 'sse' })
  await ada.whenSynced
  const gaps = watchGaps(ada)
  ada.setSharing('never')
  type(ada, 'meanwhile')
  await waitUntil(() => ada.stats().switches === 1)
  await ada.whenSaved()
  expect([ada.transport?.transport, gaps.count, ada.stats().links]).toEqual(['sse', 0, 2])
})

test('[S4] a switch to a transport that does not open keeps the old link, and no letter is lost', async () => {
  const fixture = await SessionFixture.open()
  const ada = fixture.openWindow('ada')
  await ada.whenSynced
  const gaps = watchGaps(ada)
  const refused = ada.switchTransport('memory')
  type(ada, 'still here')
  await expect(refused).rejects.toThrow(/memory is not offered here/)
  await ada.whenSaved()
  expect([gaps.count, ada.transport?.transport]).toEqual([0, 'websocket'])
})

test('[S4] if the line is cut in the middle of a switch, the window reconnects and nothing is lost', async () => {
  const fixture = await SessionFixture.open()
  const ada = fixture.openWindow('ada', { schedule: createSlowSchedule() })
  const bob = fixture.openWindow('bob')
  await Promise.all([ada.whenSynced, bob.whenSynced])
  for (let turns = 0; turns < 12; turns++) {
    const choice = ada.transport?.transport === 'sse' ? 'websocket' : 'sse'
    const switching = ada.switchTransport(choice).catch(() => {})
    type(ada, `${turns} `)
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    ada.network.cut()
    await switching
    await ada.whenSaved()
    type(bob, '.')
    await waitUntil(() => textOf(ada) === textOf(bob) && textOf(ada).endsWith('.'))
  }
  expect(textOf(bob)).toBe(Array.from({ length: 12 }, (_, turn) => `${turn} .`).join(''))
})

test('[S4] if the old link is lost while the new one proves itself, the server sends on the new one', async () => {
  const fixture = await SessionFixture.open()
  const held: (() => void)[] = []
  let holding = false
  const ada = fixture.openWindow('ada', {
    schedule: (run) => (holding ? held.push(run) : queueMicrotask(run)),
  })
  const bob = fixture.openWindow('bob')
  await Promise.all([ada.whenSynced, bob.whenSynced])
  const [old] = ada.network.lines
  holding = true
  const switching = ada.switchTransport('sse')
  await waitUntil(() => held.length > 0) // the hello is on its way
  old!.cut()
  await waitUntil(() => ada.status.get().link.state === 'connecting')
  holding = false
  for (const run of held.splice(0)) run()
  await switching
  type(bob, 'heard on the new link')
  await waitUntil(() => textOf(ada) === textOf(bob))
  expect(ada.stats().links).toBe(2)
})
