import { expect, test } from 'vitest'
import {
  MAX_ROOM_PRESENCE,
  MAX_SESSION_PRESENCE,
  MAX_SESSION_PRESENCE_RECEIVED,
  PresenceRateLimit,
} from './presence-rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

interface NamedSession {
  readonly name: string
}

/** Time that passes when a test says so. */
function createManualClock() {
  let now = 0
  const timers = new Set<{ at: number; run: () => void }>()
  const pass = (ms: number): void => {
    const end = now + ms
    for (;;) {
      const next = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (!next) break
      timers.delete(next)
      now = next.at
      next.run()
    }
    now = end
  }
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: now + ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  return { clock: { now: () => now, after, random: () => 0.5 }, pass, timers }
}

function openRateLimit() {
  const { clock, pass, timers } = createManualClock()
  const delayed: string[] = []
  const unpaid = new Set<string>()
  const options = {
    broadcast: ({ name }: NamedSession) => void delayed.push(name),
    mayBroadcast: ({ name }: NamedSession) => !unpaid.has(name),
  }
  return { rateLimit: new PresenceRateLimit<NamedSession>(options, clock), pass, timers, delayed, unpaid }
}

const createSessions = (count: number): NamedSession[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}` }))

test('[W8] a followed person who drags a selection is broadcast at once for a minute', () => {
  const { rateLimit, pass, delayed } = openRateLimit()
  const [ada] = createSessions(1)
  for (let ms = 0; ms < 60_000; ms += 12) {
    rateLimit.countReceived(ada!)
    expect(rateLimit.mayBroadcast(ada!)).toBe(true)
    pass(12)
  }
  expect(delayed).toEqual([])
})

test('[A6] the newest state of whoever cannot pay waits until they can, and nobody else does', () => {
  const { rateLimit, pass, delayed, unpaid } = openRateLimit()
  const [eve, ada] = createSessions(2)
  unpaid.add(eve!.name)
  expect([rateLimit.mayBroadcast(eve!), rateLimit.mayBroadcast(ada!)]).toEqual([false, true])
  pass(1_000)
  expect(delayed).toEqual([])
  unpaid.clear()
  pass(20)
  expect(delayed).toEqual([eve!.name])
})

test('[W8] 200 people, whose carets all move at once and twice a second then, are broadcast at once', () => {
  const { rateLimit, pass, delayed } = openRateLimit()
  const all = createSessions(200)
  for (let turn = 0; turn < 60; turn++) {
    for (const person of all) expect(rateLimit.mayBroadcast(person)).toBe(true)
    pass(500)
  }
  expect(delayed).toEqual([])
})

test('[W8] presence over a session’s rate is broadcast late, once for all that came meanwhile', () => {
  const { rateLimit, pass, delayed, timers } = openRateLimit()
  const [eve, ada] = createSessions(2)
  for (let count = 0; count < MAX_SESSION_PRESENCE.atOnce; count++)
    expect(rateLimit.mayBroadcast(eve!)).toBe(true)
  for (let count = 0; count < 100; count++) expect(rateLimit.mayBroadcast(eve!)).toBe(false)
  expect(rateLimit.mayBroadcast(ada!)).toBe(true)
  pass(1_000)
  expect(delayed).toEqual(['0'])
  expect(rateLimit.mayBroadcast(eve!)).toBe(true)
  expect(timers.size).toBe(0)
})

test('[W8] in a flooded room each session waits for the others once, and none for ever', () => {
  const { rateLimit, pass, delayed } = openRateLimit()
  const hostile = createSessions(60)
  const ada = { name: 'ada' }
  let atOnce = 0
  const flood = () => {
    for (const eve of hostile)
      for (let count = 0; count < 40; count++) if (rateLimit.mayBroadcast(eve)) atOnce += 1
  }
  flood()
  expect(rateLimit.mayBroadcast(ada)).toBe(false)
  atOnce = 0
  for (let ms = 0; ms < 1_000; ms += 5) {
    pass(5)
    flood()
  }
  expect(atOnce, 'nobody is broadcast before those who wait').toBe(0)
  expect(delayed).toContain('ada')
  expect(delayed.indexOf('ada')).toBeLessThanOrEqual(hostile.length)
  expect(delayed.length).toBeLessThanOrEqual(MAX_ROOM_PRESENCE.perSecond)
})

test('[W8] a session that left is not broadcast, and nothing is after stop', () => {
  const { rateLimit, pass, delayed, timers } = openRateLimit()
  const [eve, bob] = createSessions(2)
  for (const session of [eve!, bob!])
    for (let count = 0; count <= MAX_SESSION_PRESENCE.atOnce; count++) rateLimit.mayBroadcast(session)
  rateLimit.forget(eve!)
  pass(100)
  expect(delayed).toEqual(['1'])
  while (rateLimit.mayBroadcast(bob!));
  rateLimit.stop()
  expect(timers.size).toBe(0)
})

test('[W8] a session that floods is refused', () => {
  const { rateLimit, pass } = openRateLimit()
  const [eve] = createSessions(1)
  const { atOnce, perSecond } = MAX_SESSION_PRESENCE_RECEIVED
  for (let count = 0; count < atOnce; count++) rateLimit.countReceived(eve!)
  expect(() => rateLimit.countReceived(eve!)).toThrow(RoomRefusal)
  pass(1_000)
  for (let count = 0; count < perSecond; count++) rateLimit.countReceived(eve!)
  expect(() => rateLimit.countReceived(eve!)).toThrow(`more than ${perSecond}`)
})
