import { describe, expect, test } from 'vitest'
import type { DocumentStatus, LinkStatus, SyncStatus } from '@/lib/sync/status.ts'
import { saveStateOf, saveStateSentence, saveStateText, leastSafeOf, type SaveState } from './save-state.ts'

const up: LinkStatus = { state: 'up', info: { transport: 'websocket', protocol: 'h2', up: 'frames' } }
const connecting: LinkStatus = { state: 'connecting' }
const retrying: LinkStatus = { state: 'retrying', reason: { code: 'lost' } }
const stopped: LinkStatus = { state: 'stopped', reason: { code: 'version' } }
const loading: DocumentStatus = { state: 'loading' }
const local: DocumentStatus = { state: 'local', role: 'editor' }
const synced: DocumentStatus = { state: 'synced', role: 'editor' }
const failing: DocumentStatus = { state: 'synced', role: 'editor', storeFailing: true }
const refused: DocumentStatus = { state: 'refused', reason: { code: 'forbidden' } }
const ownRefused: DocumentStatus = { ...refused, formerRole: 'owner' }

/** @param unstored How many of the unsaved edits are not on this device; all of them if nothing is stored here. */
const status = (
  link: LinkStatus,
  document: DocumentStatus,
  unsaved: number,
  unstored = unsaved,
): SyncStatus => ({
  link,
  document,
  unsaved,
  unstored,
  choice: 'automatic',
  offered: ['websocket', 'sse'],
  evidence: [],
})

const noDelay = { isDisconnected: false, isStalled: false, isDeviceBehind: false }
const isDisconnected = { ...noDelay, isDisconnected: true }
const isStalled = { ...noDelay, isStalled: true }

type Case = [string, SyncStatus, typeof noDelay, string]

const expectText = (_case: string, givenStatus: SyncStatus, delays: typeof noDelay, text: string): void => {
  expect(saveStateText(saveStateOf(givenStatus, delays))).toBe(text)
}

describe('[D1] "Saved" means committed for all text this window shows', () => {
  test.each<Case>([
    ['everything acknowledged', status(up, synced, 0), noDelay, 'Saved'],
    ['saved, then disconnected: still true', status(retrying, synced, 0), isDisconnected, 'Saved'],
    ['acknowledged, though the store fails now', status(up, failing, 0), noDelay, 'Saved'],
    ['one change under way', status(up, synced, 1), noDelay, 'Sending 1 change'],
    ['several under way', status(up, synced, 12), noDelay, 'Sending 12 changes'],
    ['an interruption within the grace period', status(retrying, synced, 3), noDelay, '3 changes not sent'],
    ['the same, of one change', status(retrying, synced, 1), noDelay, '1 change not sent'],
    [
      'a link that is being opened sends nothing yet',
      status(connecting, synced, 3),
      noDelay,
      '3 changes not sent',
    ],
    ['a longer interruption', status(retrying, synced, 3), isDisconnected, 'Not saved'],
    ['no acknowledgement though the link is up', status(up, synced, 3), isStalled, 'Not saved'],
    ['the store of the server fails', status(up, failing, 3), noDelay, 'Not saved'],
    ['stopped for good, with text unsent', status(stopped, synced, 1), noDelay, 'Not saved'],
    ['not loaded yet', status(up, loading, 0), noDelay, 'Loading…'],
    ['not loaded yet, and no connection', status(retrying, loading, 0), isDisconnected, 'Loading…'],
    ['loading with edits', status(up, loading, 2), noDelay, 'Loading…'],
    [
      'an edit refused for good',
      { ...status(up, synced, 1), refusal: { code: 'bad-update' } },
      noDelay,
      'Not saved',
    ],
    [
      'closed by the server for now',
      { ...status(up, synced, 1), setAside: { code: 'set-aside' } },
      noDelay,
      'Not saved',
    ],
    ['deleted or no longer shared', status(up, refused, 0), noDelay, 'No access'],
    ['deleted while its owner has it open', status(up, ownRefused, 0), noDelay, 'Deleted'],
    ['deleted or no longer shared, with text unsent', status(up, refused, 1), noDelay, 'Not saved'],
  ])('%s', expectText)
})

describe('[D6] "Saved on this device" means that closing the window costs nothing', () => {
  test.each<Case>([
    [
      'written down, and no connection',
      status(retrying, synced, 3, 0),
      isDisconnected,
      'Saved on this device',
    ],
    [
      'written down, and an interruption within the grace period',
      status(retrying, synced, 3, 0),
      noDelay,
      'Saved on this device',
    ],
    ['written down, and no confirmation', status(up, synced, 3, 0), isStalled, 'Saved on this device'],
    ['written down, and the store fails', status(up, failing, 3, 0), noDelay, 'Saved on this device'],
    ['written down, and stopped for good', status(stopped, synced, 3, 0), noDelay, 'Saved on this device'],
    ['one of three not written down yet', status(retrying, synced, 3, 1), isDisconnected, 'Not saved'],
    ['written down and under way, with a link', status(up, synced, 3, 0), noDelay, 'Sending 3 changes'],
    ['opened without a connection', status(retrying, local, 0), isDisconnected, 'Saved on this device'],
    ['opened and typed without one', status(connecting, local, 2, 0), isDisconnected, 'Saved on this device'],
    ['typed there, not written down', status(connecting, local, 2, 1), isDisconnected, 'Not saved'],
    ['from this device, and the server may answer yet', status(connecting, local, 0), noDelay, 'Loading…'],
    [
      'from this device, but the page is out of date',
      status(stopped, local, 0),
      noDelay,
      'Saved on this device',
    ],
    ['typed before the server answered', status(connecting, local, 2, 0), noDelay, 'Saved on this device'],
    [
      'written down but refused for good: it is not shown again',
      { ...status(up, synced, 1, 0), refusal: { code: 'bad-update' } },
      isDisconnected,
      'Not saved',
    ],
    ['written down, and the document deleted', status(up, refused, 1, 0), isDisconnected, 'Not saved'],
  ])('%s', expectText)
})

test.each<[number, RegExp]>([
  [0, /^Saved on this device\. There is no connection\./],
  [2, /^Saved on this device, not yet on the server\. There is no connection\./],
])('[D6] %i changes made offline are described truthfully', (unsaved, sentence) => {
  expect(saveStateSentence(saveStateOf(status(retrying, local, unsaved, 0), isDisconnected))).toMatch(
    sentence,
  )
})

test.each<[string, Parameters<typeof leastSafeOf>[0], SaveState]>([
  ['one that is saved', [{ kind: 'saved' }], { kind: 'saved' }],
  [
    'changes of two',
    [{ kind: 'sending', changes: 2 }, { kind: 'saved' }, { kind: 'sending', changes: 3 }],
    { kind: 'sending', changes: 5 },
  ],
  [
    'one that is not saved',
    [
      { kind: 'sending', changes: 2 },
      { kind: 'not-saved', why: 'Full.' },
    ],
    { kind: 'not-saved', why: 'Full.' },
  ],
  [
    'one without a link',
    [
      { kind: 'sending', changes: 2 },
      { kind: 'unsent', changes: 3 },
    ],
    { kind: 'unsent', changes: 5 },
  ],
  [
    'one on this device',
    [{ kind: 'saved' }, { kind: 'on-device', unsent: true, why: 'Off.' }],
    { kind: 'on-device', unsent: true, why: 'Off.' },
  ],
])('[D1] the least safe of several texts decides the state: %s', (_name, states, expected) => {
  expect(leastSafeOf(states)).toEqual(expected)
})
