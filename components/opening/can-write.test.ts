import { expect, test } from 'vitest'
import type { LinkStatus } from '@/lib/sync/status.ts'
import { canWrite } from './can-write.ts'

const synced = { state: 'synced', role: 'editor' } as const
const stopped = (code: 'version' | 'sign-in'): LinkStatus => ({ state: 'stopped', reason: { code } })
const connecting: LinkStatus = { state: 'connecting' }

test('somebody who may edit writes, offline as well', () => {
  expect(canWrite({ role: 'editor', status: { document: synced, link: connecting } })).toBe(true)
  expect(canWrite({ role: 'owner', status: { document: synced, link: stopped('sign-in') } })).toBe(true)
})

test('a viewer does not, nor does anybody in a document that the server refuses', () => {
  expect(canWrite({ role: 'viewer', status: { document: synced, link: connecting } })).toBe(false)
  const refused = { state: 'refused', reason: { code: 'forbidden' } } as const
  expect(canWrite({ role: 'owner', status: { document: refused, link: connecting } })).toBe(false)
})

test('a page that is older than the server does not write, whatever it still shows of the document', () => {
  for (const document of [synced, { state: 'local', role: 'editor' } as const])
    expect(canWrite({ role: 'owner', status: { document, link: stopped('version') } })).toBe(false)
})
