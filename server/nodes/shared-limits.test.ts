import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLocalHub, type LocalHub } from '../fanout/local.ts'
import { type Fanout, SMALL_MESSAGE_BYTES } from '../fanout/fanout.ts'
import { RateLimits } from '../rate-limit.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import { type EvictableSession, PrincipalSessions } from '../sessions/principal-sessions.ts'
import { soleNode } from './nodes.ts'
import { SharedLimits } from './shared-limits.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

const rate = { atOnce: 10, perSecond: 1 }
const ada = { id: 'user:ada', name: 'Ada', credential: 'c' }

let hub: LocalHub
let now = 0
const opened: { shared: SharedLimits; fanout: Fanout }[] = []
const gone = new Set<(node: string) => void>()

beforeEach(() => {
  hub = createLocalHub()
  now = 0
})
afterEach(async () => {
  vi.useRealTimers()
  for (const { shared, fanout } of opened.splice(0)) {
    shared.close()
    await fanout.close()
  }
  gone.clear()
})

async function openNode(name: string) {
  const fanout = hub.join(name)
  const counts = new PrincipalCount({ person: 1_000 })
  const onGone = (listener: (node: string) => void) => {
    gone.add(listener)
    return () => gone.delete(listener)
  }
  const shared = new SharedLimits(fanout, { ...soleNode(name), onGone })
  shared.shareCount('', counts)
  const windows = new PrincipalSessions(16)
  shared.shareCount('sessions', windows.all)
  shared.shareCount('linked sessions', windows.linked)
  opened.push({ shared, fanout })
  const guests = shared.share('guests', new RateLimits(rate, { now: () => now }))
  const guesses = shared.share('guesses', new RateLimits(rate, { now: () => now }))
  await waitUntil(() => fanout.status === 'connected')
  await fanout.subscribe('ready', { onMessage: () => {}, onInterrupted: () => {} }).ready
  return { shared, guests, guesses, counts, windows }
}

describe('[A6] a limit holds on all nodes together', () => {
  test('what is less than a thousandth of a bucket is told once it is more', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    const [ofA, ofB] = [a, b].map(({ shared }) =>
      shared.share('work', new RateLimits({ atOnce: 10_000, perSecond: 1 }, { now: () => now })),
    )
    ofA!.charge('letter', 5)
    ofA!.charge('page', 9_000)
    await waitUntil(() => ofB!.waitMs('page', 1_001) > 0)
    expect(ofB!.waitMs('letter', 10_000)).toBe(0)
    ofA!.charge('letter', 5)
    await waitUntil(() => ofB!.waitMs('letter', 10_000) > 0)
    expect(ofB!.waitMs('letter', 9_990)).toBe(0)
  })

  test('also where more was taken than one message carries, and nobody is interrupted by it', async () => {
    hub.setFaults({ maxBytes: SMALL_MESSAGE_BYTES })
    const [a, b] = [await openNode('a'), await openNode('b')]
    const witness = hub.join('c')
    const onInterrupted = vi.fn<() => void>()
    await witness.subscribe('limits', { onMessage: () => {}, onInterrupted }).ready
    const people = Array.from({ length: 300 }, (_, n) => ({
      id: `user:${String(n).padStart(32, '0')}`,
      name: 'P',
      credential: 'c',
    }))
    for (const person of people) {
      for (let n = 0; n < 10; n++) a.guests.take(`2001:db8:ffff:${person.id.slice(-4)}::/64`)
      for (let n = 0; n < 125; n++) a.counts.add(person)
    }
    await waitUntil(() => people.every((person) => b.counts.countOf(person) === 125))
    await waitUntil(() => people.every(({ id }) => b.guests.waitMs(`2001:db8:ffff:${id.slice(-4)}::/64`) > 0))
    expect(onInterrupted).not.toHaveBeenCalled()
    await witness.close()
  })

  test('what is taken on one node is taken on the others, for that key of that limit', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    for (let n = 0; n < 10; n++) expect(a.guests.take('address')).toBe(0)
    await waitUntil(() => b.guests.waitMs('address') > 0)
    expect(b.guests.take('address')).toBe(1_000)
    expect([b.guests.take('another'), b.guesses.take('address')]).toEqual([0, 0])
    now += 1_000
    expect(b.guests.take('address')).toBe(0)
  })

  test('charges in fractions and refunds count, too', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    a.guests.charge('key', 10.5)
    await waitUntil(() => b.guests.waitMs('key') === 1_500)
    a.guests.refund('key', 5)
    await waitUntil(() => b.guests.waitMs('key', 4) === 0)
  })

  test('where no message arrives, each node has its own', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    hub.cut('b')
    for (let n = 0; n < 10; n++) a.guests.take('address')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(b.guests.take('address', 10)).toBe(0)
    expect(b.guests.take('address')).toBe(1_000)
  })
})

describe('[A6] the links of a principal count on all nodes together', () => {
  test('from many on; a node that is gone counts no more', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    const releases = Array.from({ length: 500 }, () => a.counts.add(ada))
    await waitUntil(() => b.counts.countOf(ada) === 500)
    for (let n = 0; n < 499; n++) b.counts.add(ada)
    expect(b.counts.hasRoomFor(ada)).toBe(true)
    b.counts.add(ada)
    expect(b.counts.hasRoomFor(ada)).toBe(false)
    await waitUntil(() => !a.counts.hasRoomFor(ada))
    for (const release of releases.splice(0, 100)) release()
    await waitUntil(() => b.counts.countOf(ada) === 900)
    for (const listener of gone) listener('a')
    expect(b.counts.countOf(ada)).toBe(500)
  })

  test('that become few are forgotten elsewhere', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    const releases = Array.from({ length: 500 }, () => a.counts.add(ada))
    await waitUntil(() => b.counts.countOf(ada) === 500)
    for (const release of releases) release()
    await waitUntil(() => b.counts.countOf(ada) === 0)
  })
})

describe('[A6] the windows of a person count on all nodes together', () => {
  class TestWindow implements EvictableSession {
    readonly principal = ada
    linklessSince: number | null = null
    readonly #windows: PrincipalSessions
    isEnded = false

    /** Throws where it is refused. */
    constructor(windows: PrincipalSessions) {
      windows.evictOldestIfFull(ada)
      windows.add(this)
      this.#windows = windows
    }

    loseLink(at: number): void {
      this.linklessSince = at
      this.#windows.onLinkChanged(this)
    }

    end(): void {
      this.isEnded = true
      this.#windows.remove(this)
    }
  }
  const open = (windows: PrincipalSessions, count = 1) =>
    Array.from({ length: count }, () => new TestWindow(windows))

  test('at a limit of sixteen the seventeenth is refused, wherever it comes, until one is closed', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    const [first] = open(a.windows, 10)
    await waitUntil(() => b.windows.linked.countOf(ada) === 10)
    open(b.windows, 6)
    expect(() => open(b.windows)).toThrow('16 windows are open already (LIMIT_SESSIONS_OF_PERSON)')
    await waitUntil(() => a.windows.linked.countOf(ada) === 16)
    expect(() => open(a.windows)).toThrow('16 windows')
    first!.end()
    await waitUntil(() => b.windows.all.countOf(ada) === 15)
    open(b.windows)
  })

  test('one that has lost its link gives way to a new one at another node', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    const windows = open(a.windows, 16)
    windows[5]!.loseLink(2)
    windows[7]!.loseLink(1)
    await waitUntil(() => b.windows.all.countOf(ada) === 16 && b.windows.linked.countOf(ada) === 14)
    open(b.windows, 2)
    expect(() => open(b.windows)).toThrow('16 windows')
    await waitUntil(() => windows[5]!.isEnded && windows[7]!.isEnded)
    expect(windows.filter(({ isEnded }) => isEnded)).toHaveLength(2)
    await waitUntil(() => b.windows.all.countOf(ada) === 16)
  })

  test('those of a node that is gone count no more', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    open(a.windows, 16)
    await waitUntil(() => b.windows.linked.countOf(ada) === 16)
    expect(() => open(b.windows)).toThrow('16 windows')
    for (const listener of gone) listener('a')
    open(b.windows, 16)
  })

  test('where no message arrives, each node lets in as many', async () => {
    const [a, b] = [await openNode('a'), await openNode('b')]
    hub.cut('b')
    open(a.windows, 16)
    await new Promise((resolve) => setTimeout(resolve, 200))
    open(b.windows, 16)
    for (const { windows } of [a, b]) expect(() => open(windows)).toThrow('16 windows')
  })
})
