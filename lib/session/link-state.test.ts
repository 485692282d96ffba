import { describe, expect, test } from 'vitest'
import type { CloseReason } from '../protocol/close.ts'
import type { LinkEventType, LinkEvent, LinkState, LinkStateName } from './link-state.ts'
import { nextLinkState } from './link-state.ts'

const before: CloseReason = { code: 'timeout' }
const reason: CloseReason = { code: 'lost' }

const states: { readonly [N in LinkStateName]: Extract<LinkState, { name: N }> } = {
  idle: { name: 'idle' },
  connecting: { name: 'connecting', attempt: 3 },
  up: { name: 'up', attempt: 2 },
  waiting: { name: 'waiting', attempt: 3, retryAt: 50, reason: before },
  stopped: { name: 'stopped', reason: before },
}

const events = {
  start: { type: 'start' },
  proven: { type: 'proven' },
  failed: { type: 'failed', reason, retryAt: 99 },
  lost: { type: 'lost', reason, retryAt: 99, steady: true },
  onward: { type: 'onward', steady: true },
  due: { type: 'due' },
  stop: { type: 'stop', reason },
} satisfies { readonly [T in LinkEventType]: LinkEvent }

const { idle, connecting, up, waiting, stopped } = states
const connectingAnew: LinkState = { name: 'connecting', attempt: 0 }
const stoppedNow: LinkState = { name: 'stopped', reason }

const expected: Record<LinkStateName, Record<LinkEventType, LinkState>> = {
  idle: {
    start: connectingAnew,
    proven: idle,
    failed: idle,
    lost: idle,
    onward: idle,
    due: idle,
    stop: stoppedNow,
  },
  connecting: {
    start: connecting,
    proven: { name: 'up', attempt: 3 },
    failed: { name: 'waiting', attempt: 3, retryAt: 99, reason },
    lost: connecting,
    onward: connecting,
    due: connecting,
    stop: stoppedNow,
  },
  up: {
    start: up,
    proven: up,
    failed: up,
    lost: { name: 'waiting', attempt: 0, retryAt: 99, reason },
    onward: connectingAnew,
    due: up,
    stop: stoppedNow,
  },
  waiting: {
    start: waiting,
    proven: waiting,
    failed: waiting,
    lost: waiting,
    onward: waiting,
    due: { name: 'connecting', attempt: 4 },
    stop: stoppedNow,
  },
  stopped: {
    start: stopped,
    proven: stopped,
    failed: stopped,
    lost: stopped,
    onward: stopped,
    due: stopped,
    stop: stopped,
  },
}

describe.each(Object.entries(expected))('%s', (name, cells) => {
  test.each(Object.entries(cells))('%s', (type, next) => {
    expect(nextLinkState(states[name as LinkStateName], events[type as LinkEventType])).toEqual(next)
  })
})

test('[S8] failures keep counting if the next transport is opened at once', () => {
  expect(nextLinkState(up, { ...events.onward, steady: false })).toEqual({ name: 'connecting', attempt: 2 })
})

test('[S8] failures keep counting if a link did not last', () => {
  expect(nextLinkState(up, { ...events.lost, steady: false })).toEqual({
    name: 'waiting',
    attempt: 2,
    retryAt: 99,
    reason,
  })
})
