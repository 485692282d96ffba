import { expect, test } from 'vitest'
import { takeWaitingMessages } from '@/components/ui/toast.ts'
import { reportFailure } from './file-note.ts'

test('an action on an upload that the device cannot store is said to have failed', async () => {
  takeWaitingMessages()
  await reportFailure(Promise.reject(new Error('the database is closed')))
  expect(takeWaitingMessages()).toEqual(['This device could not change the upload. Try again.'])
  await reportFailure(Promise.resolve())
  expect(takeWaitingMessages()).toEqual([])
})
