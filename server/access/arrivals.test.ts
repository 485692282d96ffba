import { expect, test } from 'vitest'
import { type Environment, readConfig } from '../config.ts'
import { type Arrivals, createArrivals } from './arrivals.ts'
import { door } from './fixture.ts'
import type { Principal } from './principal.ts'

function openArrivals(environment: Environment = {}) {
  const clock = { at: 0, now: () => clock.at }
  return { clock, arrivals: createArrivals(readConfig(environment), clock) }
}

const from = (peer: string, headers: Record<string, string> = {}) => door({ peer, ...headers })

const person = (n: number): Principal => ({ id: `user:${n}`, name: 'Quiet Otter', credential: `c${n}` })
const viaLink = (n: number): Principal => ({ ...person(n), id: 'link:1', token: 'token' })

const passed = (tries: number, count: () => unknown): number =>
  Array.from({ length: tries }, count).filter((refusal) => refusal === null).length

test('[A6] 500 people behind one address arrive at once with a document each; the 501st is told when to come again', () => {
  const { arrivals, clock } = openArrivals()
  const office = from('203.0.113.7')
  expect(passed(500, () => arrivals.newGuest(office))).toBe(500)
  let n = 0
  expect(passed(500, () => arrivals.newDocument(office, person(n++)))).toBe(500)
  expect(passed(500 * 5, () => arrivals.link(office))).toBe(2500)
  expect(arrivals.newGuest(office)).toEqual({
    status: 429,
    code: 'too-many',
    message: 'Too many new guests from your address (LIMIT_NEW_GUESTS). Try again in 1 s.',
    retryAfterS: 1,
  })
  clock.at += 1000
  expect(passed(10, () => arrivals.newGuest(office))).toBe(5)
})

const limits: Record<
  string,
  { environment: Environment; count: (arrivals: Arrivals, peer: string) => unknown }
> = {
  'new guests': {
    environment: { LIMIT_NEW_GUESTS: '3/0.1' },
    count: (arrivals, peer) => arrivals.newGuest(from(peer)),
  },
  'new documents': {
    environment: { LIMIT_NEW_DOCUMENTS: '3/0.1' },
    count: (arrivals, peer) => arrivals.newDocument(from(peer), person(Math.random())),
  },
  links: {
    environment: { LIMIT_CONNECTIONS: '3/0.1' },
    count: (arrivals, peer) => arrivals.link(from(peer)),
  },
  guesses: {
    environment: { LIMIT_GUESSES: '3/0.1' },
    count(arrivals, peer) {
      const refusal = arrivals.mayGuess(from(peer))
      if (!refusal) arrivals.guessed(from(peer))
      return refusal
    },
  },
}

test.each(Object.entries(limits))('[A6] %s of one address are limited, and nobody else’s', (_what, limit) => {
  const { arrivals, clock } = openArrivals(limit.environment)
  expect(passed(9, () => limit.count(arrivals, '203.0.113.7'))).toBe(3)
  expect(limit.count(arrivals, '203.0.113.7')).toMatchObject({ status: 429, retryAfterS: 10 })
  expect(limit.count(arrivals, '203.0.113.8')).toBeNull()
  expect(passed(9, () => limit.count(arrivals, '2001:db8:1:2::1'))).toBe(3)
  expect(limit.count(arrivals, '2001:db8:1:2:ffff::1')).not.toBeNull()
  expect(limit.count(arrivals, '2001:db8:1:3::1')).toBeNull()
  clock.at += 20_000
  expect(passed(9, () => limit.count(arrivals, '203.0.113.7'))).toBe(2)
})

test('[A6] a person’s documents are limited at whatever address', () => {
  const { arrivals } = openArrivals({ LIMIT_DOCUMENTS_OF_PERSON: '3/0.1' })
  let n = 0
  expect(passed(9, () => arrivals.newDocument(from(`203.0.113.${n++}`), person(1)))).toBe(3)
  expect(arrivals.newDocument(from('203.0.113.1'), person(1))?.message).toContain('LIMIT_DOCUMENTS_OF_PERSON')
  expect(arrivals.newDocument(from('203.0.113.1'), person(2))).toBeNull()
})

test('[A6] a stranger’s wrong guesses do not use up those of people at the same address; those with one link share its address', () => {
  const { arrivals } = openArrivals({ LIMIT_GUESSES: '3/0.1' })
  const here = from('203.0.113.7')
  for (let n = 0; n < 3; n++) arrivals.guessed(here)
  expect(arrivals.mayGuess(here)).not.toBeNull()
  expect(arrivals.mayGuess(here, viaLink(1))).not.toBeNull()
  expect(arrivals.mayGuess(here, person(1))).toBeNull()
  for (let n = 0; n < 3; n++) arrivals.guessed(here, person(1))
  expect(arrivals.mayGuess(from('203.0.113.8'), person(1))).not.toBeNull()
})

test('[A6] what a client says of its own address counts only behind a proxy on the list', () => {
  const limit = { LIMIT_NEW_GUESTS: '1/0.1' }
  let n = 0
  const lying = (arrivals: Arrivals) => () =>
    arrivals.newGuest(from('10.0.0.1', { 'x-forwarded-for': `203.0.113.${n++}` }))
  expect(passed(9, lying(openArrivals(limit).arrivals))).toBe(1)
  expect(passed(9, lying(openArrivals({ ...limit, TRUSTED_PROXIES: '10.0.0.1' }).arrivals))).toBe(9)
})

test('off is no limit', () => {
  const { arrivals } = openArrivals({ LIMIT_NEW_GUESTS: 'off' })
  expect(passed(5000, () => arrivals.newGuest(from('203.0.113.7')))).toBe(5000)
})
