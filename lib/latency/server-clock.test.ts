import { expect, test } from 'vitest'
import type { LinkInfo } from '../transports/transport.ts'
import { ServerClock } from './server-clock.ts'

const websocket: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }

function createClock() {
  const state = { now: 1_000, links: 1, link: websocket, tokens: [] as number[] }
  const clock = new ServerClock({
    now: () => state.now,
    requestClock: (token) => void state.tokens.push(token),
    linkCount: () => state.links,
    currentLink: () => state.link,
  })
  const respondAfter = (ms: number, ahead = 0): void => {
    clock.requestTime()
    state.now += ms
    clock.onResponse(state.tokens.at(-1)!, (state.now - ms / 2 + ahead) * 1000)
  }
  return { state, clock, respondAfter }
}

test('the base is the least round trip on this link', () => {
  const { state, clock, respondAfter } = createClock()
  expect(clock.roundTrip).toEqual({ history: [] })
  for (const ms of [8, 3, 5]) respondAfter(ms)
  expect(clock.roundTrip).toMatchObject({ now: 5, base: 3 })
  state.links = 2
  respondAfter(20)
  expect(clock.roundTrip).toMatchObject({ now: 20, base: 20 })
  expect(clock.roundTrip.history.map(({ ms }) => ms)).toEqual([8, 3, 5, 20])
})

test('[L1] another transport has round trips of its own, and a response that came by another link than its request belongs to neither', () => {
  const { state, clock, respondAfter } = createClock()
  respondAfter(8)
  expect(clock.isOutdated).toBe(false)
  clock.requestTime()
  Object.assign(state, { links: 2, link: { ...websocket, simulated: true } })
  expect([clock.isOutdated, clock.roundTrip.now, clock.roundTrip.base]).toEqual([true, undefined, undefined])
  clock.onResponse(state.tokens.at(-1)!, 0)
  expect(clock.roundTrip.history.length).toBe(1)
  respondAfter(50)
  expect(clock.roundTrip).toMatchObject({ now: 50, base: 50 })
  expect(clock.roundTrip.history.map(({ link }) => link?.simulated)).toEqual([undefined, true])
})

test('two minutes are kept', () => {
  const { clock, respondAfter } = createClock()
  for (let time = 0; time < 300; time++) respondAfter(time)
  expect(clock.roundTrip.history.length).toBe(120)
  expect(clock.roundTrip.now).toBe(299)
})

test('[L2] a response without a request, a repeated one, and one of a former server are ignored', () => {
  const { state, clock, respondAfter } = createClock()
  clock.onResponse(7, 1)
  respondAfter(4, 50)
  const { offset } = clock
  expect(offset!.ms).toBeCloseTo(50)
  state.now += 500
  clock.onResponse(state.tokens.at(-1)!, 9e9)
  expect(clock.roundTrip.history.length).toBe(1)
  clock.requestTime()
  clock.forgetServer()
  clock.onResponse(state.tokens.at(-1)!, 9e9)
  expect([clock.offset, clock.roundTrip.history.length]).toEqual([null, 1])
})

test('a response is waited for as long as a minute, however many requests followed', () => {
  const { state, clock } = createClock()
  const responseCount = () => clock.roundTrip.history.length
  clock.requestTime()
  state.now += 30_000
  clock.requestTime()
  clock.onResponse(state.tokens[0]!, 0)
  expect(responseCount()).toBe(1)
  state.now += 61_000
  clock.requestTime()
  clock.onResponse(state.tokens[1]!, 0)
  expect(responseCount()).toBe(1)
  clock.onResponse(state.tokens[2]!, 0)
  expect(responseCount()).toBe(2)
})

test('a reset forgets round trips, but not the offset of the clock', () => {
  const { clock, respondAfter } = createClock()
  respondAfter(4, 50)
  clock.reset()
  expect(clock.roundTrip).toEqual({ history: [] })
  expect(clock.offset!.ms).toBeCloseTo(50)
  respondAfter(9)
  expect(clock.roundTrip).toMatchObject({ now: 9, base: 9 })
})
