import { expect, test } from 'vitest'
import {
  MAX_ROOM_PRESENCE,
  MAX_SESSION_PRESENCE,
  MAX_SESSION_PRESENCE_HEARD,
  PresencePace,
} from './presence-pace.ts'
import { RoomRefusal } from './rooms.ts'

interface Session {
  readonly name: string
}

/** Time that passes when a test says so. */
function handClock() {
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

function opened() {
  const { clock, pass, timers } = handClock()
  const late: string[] = []
  const pace = new PresencePace<Session>(({ name }) => late.push(name), clock)
  return { pace, pass, timers, late }
}

const people = (count: number): Session[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}` }))

test('[W8] who drags a selection, and is followed, is told of at once for a minute', () => {
  const { pace, pass, late } = opened()
  const [ada] = people(1)
  for (let ms = 0; ms < 60_000; ms += 12) {
    pace.heard(ada!)
    expect(pace.mayTell(ada!)).toBe(true)
    pass(12)
  }
  expect(late).toEqual([])
})

test('[W8] 200 people, whose carets all move at once and twice a second then, are told of at once', () => {
  const { pace, pass, late } = opened()
  const all = people(200)
  for (let turn = 0; turn < 60; turn++) {
    for (const person of all) expect(pace.mayTell(person)).toBe(true)
    pass(500)
  }
  expect(late).toEqual([])
})

test('[W8] what is over a session’s rate is told late, once for all that came meanwhile', () => {
  const { pace, pass, late, timers } = opened()
  const [eve, ada] = people(2)
  for (let count = 0; count < MAX_SESSION_PRESENCE.atOnce; count++) expect(pace.mayTell(eve!)).toBe(true)
  for (let count = 0; count < 100; count++) expect(pace.mayTell(eve!)).toBe(false)
  expect(pace.mayTell(ada!)).toBe(true)
  pass(1_000)
  expect(late).toEqual(['0'])
  expect(pace.mayTell(eve!)).toBe(true)
  expect(timers.size).toBe(0)
})

test('[W8] in a flooded room each waits for the others once, and nobody for ever', () => {
  const { pace, pass, late } = opened()
  const hostile = people(60)
  const ada = { name: 'ada' }
  let atOnce = 0
  const flood = () => {
    for (const eve of hostile) for (let count = 0; count < 40; count++) if (pace.mayTell(eve)) atOnce += 1
  }
  flood()
  expect(pace.mayTell(ada)).toBe(false)
  atOnce = 0
  for (let ms = 0; ms < 1_000; ms += 5) {
    pass(5)
    flood()
  }
  expect(atOnce, 'nobody is told of before those who wait').toBe(0)
  expect(late).toContain('ada')
  expect(late.indexOf('ada')).toBeLessThanOrEqual(hostile.length)
  expect(late.length).toBeLessThanOrEqual(MAX_ROOM_PRESENCE.perSecond)
})

test('[W8] who left is not told of, and nothing is once it stops', () => {
  const { pace, pass, late, timers } = opened()
  const [eve, bob] = people(2)
  for (const session of [eve!, bob!])
    for (let count = 0; count <= MAX_SESSION_PRESENCE.atOnce; count++) pace.mayTell(session)
  pace.forget(eve!)
  pass(100)
  expect(late).toEqual(['1'])
  while (pace.mayTell(bob!));
  pace.stop()
  expect(timers.size).toBe(0)
})

test('[W8] a session that floods is sent away', () => {
  const { pace, pass } = opened()
  const [eve] = people(1)
  const { atOnce, perSecond } = MAX_SESSION_PRESENCE_HEARD
  for (let count = 0; count < atOnce; count++) pace.heard(eve!)
  expect(() => pace.heard(eve!)).toThrow(RoomRefusal)
  pass(1_000)
  for (let count = 0; count < perSecond; count++) pace.heard(eve!)
  expect(() => pace.heard(eve!)).toThrow(`more than ${perSecond}`)
})
