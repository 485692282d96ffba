import { expect, test } from 'vitest'
import type { DocumentEntry } from '@/components/api'
import { ownWork } from './left-behind'

const entry = (id: string, role: DocumentEntry['role'], seconds: number): DocumentEntry => ({
  id,
  title: id,
  role,
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(seconds * 1000).toISOString(),
})

test('a guest leaves behind what they own and worked on: neither others’ documents nor an untouched welcome', () => {
  const documents = [
    entry('welcome', 'owner', 1),
    entry('budget', 'owner', 3600),
    entry('theirs', 'editor', 3600),
    entry('read', 'viewer', 3600),
  ]
  expect(ownWork(documents).map(({ id }) => id)).toEqual(['budget'])
})
