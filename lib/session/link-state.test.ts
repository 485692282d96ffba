import { describe, expect, test } from 'vitest'
import type { CloseReason } from '../protocol/close.ts'
import { type AttemptPurpose, Candidate } from './candidate.ts'
import { FramedLink } from './framed-link.ts'
import {
  applyLinkEvent,
  type LinkEventType,
  type LinkEvent,
  type LinkState,
  type LinkStateName,
  type LinkTransition,
} from './link-state.ts'
import { fakeTransport, FakeLink, HANGS } from './fixtures/fake-transports.ts'
import { ManualClock } from './fixtures/manual-clock.ts'

const done: CloseReason = { code: 'done' }
const before: CloseReason = { code: 'timeout' }
const reason: CloseReason = { code: 'lost' }
const traffic = { framesUp: 0, framesDown: 0, bytesUp: 0, bytesDown: 0 }

function candidateFor(purpose: AttemptPurpose, id: 'websocket' | 'sse' = 'sse'): Candidate {
  return new Candidate(
    {
      transport: fakeTransport(id, HANGS),
      target: { origin: 'memory:', net: {} as never },
      purpose,
      clock: new ManualClock(),
      traffic,
      roundTripMs: () => 0,
      hasExtraTime: false,
    },
    { onOpened: () => {}, onFrame: () => {}, onEnded: () => {} },
  )
}

const linkOf = (id: 'websocket' | 'sse') =>
  new FramedLink(new FakeLink(id, false, 'frames').linkEnd, traffic, 0)

const link = linkOf('sse')
const newLink = linkOf('websocket')
const candidate = candidateFor('link')
const next = candidateFor('link', 'websocket')
const inUse = { attempt: 2, link, since: 100 }

const states: { readonly [N in LinkStateName]: Extract<LinkState, { name: N }> } = {
  idle: { name: 'idle' },
  connecting: { name: 'connecting', attempt: 3, candidate },
  up: { name: 'up', ...inUse },
  switching: { name: 'switching', ...inUse, candidate },
  waiting: { name: 'waiting', attempt: 3, retryAt: 50, reason: before },
  stopped: { name: 'stopped', reason: before },
}

const ended = { reason, at: 20_000, random: 0.5, next: null }

const events: { readonly [T in LinkEventType]: Extract<LinkEvent, { type: T }> } = {
  open: { type: 'open', candidate: next },
  keep: { type: 'keep' },
  proven: { type: 'proven', link: newLink, at: 5_000 },
  failed: { type: 'failed', ...ended },
  lost: { type: 'lost', ...ended },
  stop: { type: 'stop', reason },
}

const { up, switching } = states
const stoppedNow: LinkState = { name: 'stopped', reason }
const upAnew: LinkState = { name: 'up', attempt: 0, link: newLink, since: 5_000 }
const opens = { type: 'open', candidate: next } as const
const abandons = { type: 'abandon', candidate, reason: done } as const
const closesDraining = { type: 'close', link: null, reason } as const

/** An event that cannot happen: it throws. */
const never = 'never'

const expected: Record<LinkStateName, Record<LinkEventType, LinkTransition | typeof never>> = {
  idle: {
    open: [{ name: 'connecting', attempt: 0, candidate: next }, opens],
    keep: never,
    proven: never,
    failed: never,
    lost: never,
    stop: [stoppedNow, closesDraining],
  },
  connecting: {
    open: [{ name: 'connecting', attempt: 3, candidate: next }, abandons, opens],
    keep: never,
    proven: [
      { ...upAnew, attempt: 3 },
      { type: 'promote', candidate, why: 'opened' },
    ],
    failed: [
      { name: 'waiting', attempt: 3, retryAt: 21_000, reason },
      { ...abandons, reason },
      { type: 'wait', ms: 1_000 },
    ],
    lost: never,
    stop: [stoppedNow, abandons, closesDraining],
  },
  up: {
    open: [{ ...up, name: 'switching', candidate: next }, opens],
    keep: [up],
    proven: never,
    failed: never,
    lost: [
      { name: 'waiting', attempt: 0, retryAt: 20_125, reason },
      { type: 'wait', ms: 125 },
    ],
    stop: [stoppedNow, { type: 'close', link, reason }],
  },
  switching: {
    open: [{ ...switching, candidate: next }, abandons, opens],
    keep: [up, abandons, { type: 'revert' }],
    proven: [
      { ...upAnew, attempt: 2 },
      { type: 'drain', link, isSuspect: false },
      { type: 'promote', candidate, why: 'openedAgain' },
    ],
    failed: [up, { ...abandons, reason }, { type: 'revert' }],
    lost: [{ name: 'connecting', attempt: 0, candidate }],
    stop: [stoppedNow, abandons, { type: 'close', link, reason }],
  },
  waiting: {
    open: [{ name: 'connecting', attempt: 4, candidate: next }, opens],
    keep: never,
    proven: never,
    failed: never,
    lost: never,
    stop: [stoppedNow, closesDraining],
  },
  stopped: {
    open: never,
    keep: never,
    proven: never,
    failed: never,
    lost: never,
    stop: [states.stopped],
  },
}

describe.each(Object.entries(expected))('%s', (name, cells) => {
  test.each(Object.entries(cells))('%s', (type, transition) => {
    const apply = () => applyLinkEvent(states[name as LinkStateName], events[type as LinkEventType])
    if (transition === never) expect(apply).toThrow(`event "${type}" while it is "${name}"`)
    else expect(apply()).toEqual(transition)
  })
})

test('[S8] the next transport is opened at once if there is one to try', () => {
  const { connecting } = states
  const opened = { name: 'connecting', candidate: next }
  expect(applyLinkEvent(connecting, { ...events.failed, next })).toMatchObject([
    { ...opened, attempt: 3 },
    { ...abandons, reason },
    opens,
  ])
  expect(applyLinkEvent(up, { ...events.lost, next })).toEqual([{ ...opened, attempt: 0 }, opens])
})

test('[S8] failures keep counting if a link did not last', () => {
  expect(applyLinkEvent(up, { ...events.lost, at: 10_099, next })[0]).toMatchObject({ attempt: 2 })
  expect(applyLinkEvent(up, { ...events.lost, at: 10_099 })[0]).toMatchObject({ attempt: 2, name: 'waiting' })
  expect(applyLinkEvent(switching, { ...events.lost, at: 10_099 })[0]).toMatchObject({ attempt: 2 })
})

test('[S9] a final reason stops it, without a link and with an attempt under way', () => {
  const final = { ...ended, next, reason: { code: 'sign-in' } } as const
  const stopped = { name: 'stopped', reason: final.reason }
  const closes = { ...closesDraining, reason: final.reason }
  expect(applyLinkEvent(up, { type: 'lost', ...final })).toEqual([stopped, closes])
  expect(applyLinkEvent(switching, { type: 'lost', ...final })).toEqual([stopped, abandons, closes])
  expect(applyLinkEvent(switching, { type: 'failed', ...final })[0]).toEqual(up)
})

test.each([
  ['switch', 'chosen', false],
  ['background', 'better', false],
  ['posts', 'uploadHeldBack', true],
] as const)('[S5] an attempt of purpose "%s" takes over as "%s"', (purpose, why, isSuspect) => {
  const one = candidateFor(purpose, 'websocket')
  expect(applyLinkEvent({ ...switching, candidate: one }, events.proven).slice(1)).toEqual([
    { type: 'drain', link, isSuspect },
    { type: 'promote', candidate: one, why },
  ])
})
