import { describe, expect, test } from 'vitest'
import { createMemoryPair, createMemoryTransport } from './memory.ts'
import { createNet } from './net/node.ts'
import { RecordingAcceptor, RecordingSink } from './fixtures/recording-sink.ts'
import { describeTransport, type TransportHarness } from './transport.contract.ts'
import { TransportError } from './transport.ts'

function memoryHarness(): TransportHarness {
  const acceptor = new RecordingAcceptor()
  let isRefusing = false
  let attempts = 0
  const transport = createMemoryTransport((link) => {
    attempts += 1
    if (isRefusing) throw new TransportError({ code: 'refused', detail: '403' })
    return acceptor.accept(link)
  })
  return {
    transport,
    target: { origin: 'memory:', net: createNet() },
    accepted: () => acceptor.next(),
    allClosed: () => acceptor.allClosed(),
    attempts: () => attempts,
    refuse: () => void (isRefusing = true),
    admit: () => void (isRefusing = false),
    cut: () => acceptor.links.forEach(({ link }) => link.close({ code: 'lost' })),
    close: async () => {},
  }
}

describeTransport('memory', async () => memoryHarness(), { info: { protocol: '', up: 'frames' } })

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
