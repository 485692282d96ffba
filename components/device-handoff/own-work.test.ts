import { expect, test } from 'vitest'
import type { DocumentEntry } from '@/components/http-api.ts'
import type { ChannelPart } from '@/lib/protocol/channel-messages.ts'
import { sumUnsentChanges, ownTouchedDocuments } from './own-work.ts'

const entry = (id: string, role: DocumentEntry['role'], seconds: number): DocumentEntry => ({
  id,
  title: id,
  role,
  owner: { id: 'user:one', name: 'One' },
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(seconds * 1000).toISOString(),
})

test('a guest leaves behind what they own and worked on, but neither other people’s documents nor an untouched welcome document', () => {
  const documents = [
    entry('welcome', 'owner', 1),
    entry('budget', 'owner', 3600),
    entry('theirs', 'editor', 3600),
    entry('read', 'viewer', 3600),
  ]
  expect(ownTouchedDocuments(documents).map(({ id }) => id)).toEqual(['budget'])
})

test("unsent changes are this person's changes to texts and comments; the desk does not count", () => {
  const unsavedRow = (part: ChannelPart, principal: string, changes: number) => ({
    document: part === 'desk' ? '' : 'budget',
    part,
    window: 'w',
    principal,
    changes,
  })
  const all = [
    unsavedRow('body', 'user:ada', 3),
    unsavedRow('comments', '', 4),
    unsavedRow('desk', 'user:ada', 100),
    unsavedRow('desk', '', 100),
    unsavedRow('body', 'user:bob', 100),
  ]
  expect(sumUnsentChanges(all, 'user:ada')).toBe(7)
})
