import { describe, expect, test } from 'vitest'
import { memoryPair, memoryTransport } from './memory.ts'
import { createNet } from './net/node.ts'
import { Acceptor, Recorder } from './recorder.ts'
import { describeTransport, type Harness } from './transport.contract.ts'
import { TransportError } from './transport.ts'

function memoryHarness(): Harness {
  const acceptor = new Acceptor()
  let refusing = false
  let knocks = 0
  const transport = memoryTransport((link) => {
    knocks += 1
    if (refusing) throw new TransportError({ code: 'refused', detail: '403' })
    return acceptor.accept(link)
  })
  return {
    transport,
    target: { origin: 'memory:', net: createNet() },
    accepted: () => acceptor.next(),
    allClosed: () => acceptor.allClosed(),
    knocks: () => knocks,
    refuse: () => void (refusing = true),
    admit: () => void (refusing = false),
    cut: () => acceptor.ends.forEach(({ link }) => link.close({ code: 'lost' })),
    close: async () => {},
  }
}

describeTransport('memory', async () => memoryHarness(), { info: { protocol: '', up: 'frames' } })

describe('memoryPair', () => {
  test('[T2] delivers when its caller says, in order, and a copy of what was sent', () => {
    const [left, right] = [new Recorder(), new Recorder()]
    const held: (() => void)[] = []
    const [link] = memoryPair(left, right, (task) => held.push(task))
    const frame = Uint8Array.of(1)
    void link.send(frame)
    frame[0] = 2
    void link.send(frame)
    link.close({ code: 'drained' })
    expect(right.frames).toEqual([])
    for (const deliver of held) deliver()
    expect(right.frames).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
    expect(right.closes).toEqual([{ code: 'drained' }])
  })
})
