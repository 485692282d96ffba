import { expect, test } from 'vitest'
import { openLate } from './late-opening.ts'
import type { LinkTarget, Sink } from './transport.ts'

const target = {} as LinkTarget
const sink = {} as Sink

test('[T1] a transport whose code does not load is refused without an answer, and is loaded again at the next attempt', async () => {
  let loads = 0
  const open = openLate(() => Promise.reject(new Error(`chunk ${++loads}`)))
  for (const count of [1, 2]) {
    const opening = open(target, sink, new AbortController().signal)
    await expect(opening).rejects.toMatchObject({ name: 'TransportError', reason: { code: 'refused' } })
    expect(loads).toBe(count)
  }
})

test('an attempt that was given up loads nothing', async () => {
  const open = openLate(() => Promise.reject(new Error('it was loaded')))
  const opening = open(target, sink, AbortSignal.abort('gone'))
  await expect(opening).rejects.toMatchObject({ reason: { code: 'done' } })
})
