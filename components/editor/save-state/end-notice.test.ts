import { expect, test } from 'vitest'
import { endNoticeOf } from './end-notice.ts'

const refusedWith = (detail?: string) =>
  ({
    link: { state: 'connecting' },
    document: { state: 'refused', reason: { code: 'forbidden', ...(detail && { detail }) } },
  }) as never

test('an owner whose document was deleted learns of the trash, and can open it again', () => {
  expect(endNoticeOf(refusedWith('The document was deleted.'), 'owner')).toEqual({
    title: 'This document was deleted.',
    sentence: 'If it is in your trash, restore it there, then open it again.',
    reload: 'Open again',
  })
})

test('anybody else learns that their access ended', () => {
  expect(endNoticeOf(refusedWith(), 'viewer')).toEqual({
    title: 'You no longer have access to this document.',
    sentence: 'Its owner may have deleted it or revoked your link.',
    reload: 'Reload',
  })
  expect(endNoticeOf(refusedWith('The document was deleted.'), 'editor')).toMatchObject({
    sentence: 'The document was deleted.',
  })
})
