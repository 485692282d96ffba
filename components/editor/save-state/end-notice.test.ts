import { expect, test } from 'vitest'
import { endNoticeOf } from './end-notice.ts'

const refusedWith = (detail?: string) =>
  ({
    link: { state: 'connecting' },
    document: { state: 'refused', reason: { code: 'forbidden', ...(detail && { detail }) } },
  }) as never

test('somebody whose access ended learns why', () => {
  expect(endNoticeOf(refusedWith())).toEqual({
    title: 'You no longer have access to this document.',
    sentence: 'Its owner may have deleted it or revoked your link.',
  })
  expect(endNoticeOf(refusedWith('The document was deleted.'))).toMatchObject({
    sentence: 'The document was deleted.',
  })
})
