import { expect, test, vi } from 'vitest'

test('an action on an upload that the device cannot store is said to have failed', async () => {
  // Another test in this thread may have set a toaster.
  vi.resetModules()
  const { takeWaitingMessages } = await import('@/components/ui/toast.ts')
  const { reportFailure } = await import('./file-note.ts')
  await reportFailure(Promise.reject(new Error('the database is closed')))
  await reportFailure(Promise.resolve())
  expect(takeWaitingMessages()).toEqual(['This device could not change the upload. Try again.'])
})
