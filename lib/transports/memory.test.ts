import { describe, expect, test } from 'vitest'
import { createMemoryPair } from './memory.ts'
import { createMemoryHarness } from './fixtures/memory-harness.ts'
import { RecordingSink } from './fixtures/recording-sink.ts'
import { describeTransport } from './transport.contract.ts'

describeTransport('memory', async () => createMemoryHarness(), { info: { protocol: '', up: 'frames' } })

describe('memoryPair', () => {
  test('[T2] delivers a copy of what was sent, in order, when its caller decides', () => {
    const [left, right] = [new RecordingSink(), new RecordingSink()]
    const tasks: (() => void)[] = []
    const [link] = createMemoryPair(left, right, (task) => tasks.push(task))
    const frame = Uint8Array.of(1)
    void link.send(frame)
    frame[0] = 2
    void link.send(frame)
    link.close({ code: 'drained' })
    expect(right.frames).toEqual([])
    for (const deliver of tasks) deliver()
    expect(right.frames).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
    expect(right.closes).toEqual([{ code: 'drained' }])
  })
})
