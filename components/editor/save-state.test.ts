import { describe, expect, test } from 'vitest'
import type { DocumentStatus, LinkStatus, Status } from '@/lib/sync/status.ts'
import { saveStateOf, saveStateText } from './save-state.ts'

const up: LinkStatus = { state: 'up', info: { transport: 'websocket', protocol: 'h2', up: 'frames' } }
const retrying: LinkStatus = { state: 'retrying', reason: { code: 'lost' } }
const stopped: LinkStatus = { state: 'stopped', reason: { code: 'version' } }
const synced: DocumentStatus = { state: 'synced', role: 'editor' }
const refused: DocumentStatus = { state: 'refused', reason: { code: 'forbidden' } }

const status = (link: LinkStatus, document: DocumentStatus, unsaved: number): Status => ({
  link,
  document,
  unsaved,
  choice: 'automatic',
  offered: ['websocket', 'sse'],
  evidence: [],
})

const soon = { cutOff: false, stalled: false }
const cutOff = { cutOff: true, stalled: false }
const stalled = { cutOff: false, stalled: true }

describe('[D1] "Saved" means committed for all text this window shows', () => {
  test.each<[string, Status, typeof soon, string]>([
    ['everything acknowledged', status(up, synced, 0), soon, 'Saved'],
    ['acknowledged, then cut off: still true', status(retrying, synced, 0), cutOff, 'Saved'],
    ['one change under way', status(up, synced, 1), soon, 'Sending 1 change'],
    ['several under way', status(up, synced, 12), soon, 'Sending 12 changes'],
    ['a break shorter than the grace', status(retrying, synced, 3), soon, 'Sending 3 changes'],
    ['a longer break', status(retrying, synced, 3), cutOff, 'Not saved'],
    ['no acknowledgement though the link is up', status(up, synced, 3), stalled, 'Not saved'],
    ['stopped for good, with text unsent', status(stopped, synced, 1), soon, 'Not saved'],
    ['not loaded yet', status(up, { state: 'loading' }, 0), soon, 'Loading…'],
    ['loading with edits', status(up, { state: 'loading' }, 2), soon, 'Loading…'],
    [
      'an edit refused for good',
      { ...status(up, synced, 1), refusal: { code: 'bad-update' } },
      soon,
      'Not saved',
    ],
    ['deleted or no longer shared', status(up, refused, 0), soon, 'Not saved'],
  ])('%s', (_case, given, waits, text) => {
    expect(saveStateText(saveStateOf(given, waits))).toBe(text)
  })
})
