import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from './fixtures/manual-clock.ts'
import { settle } from '../fixtures/wait.ts'
import { ReliableSender } from './reliable-sender.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (word: string) => new TextEncoder().encode(word)
const ACKNOWLEDGE_MS = 200

class RecordingLink {
  sentUpTo = 0
  readonly sends: string[] = []
  send(messages: readonly Uint8Array[]): void {
    this.sends.push(messages.map(text).join(' '))
  }
}

let clock: ManualClock
let sender: ReliableSender<{ number: number; bytes: Uint8Array }>
let received: number

beforeEach(() => {
  clock = new ManualClock()
  received = 0
  sender = new ReliableSender({
    clock,
    acknowledgeWithinMs: ACKNOWLEDGE_MS,
    acknowledgement: () => bytes(`received:${received}`),
  })
})

const send = (word: string) => sender.send((number) => ({ number, bytes: bytes(`${number}:${word}`) }))

describe('a reliable sender', () => {
  test('sends the messages of one turn together, numbered before unnumbered', async () => {
    const link = new RecordingLink()
    sender.sendOn(link)
    send('a')
    sender.sendUnnumbered(bytes('cursor'))
    send('b')
    await settle()
    expect(link.sends).toEqual(['1:a 2:b cursor'])
  })

  test('[S2] keeps numbered messages for the next link, and repeats what that link lacks', async () => {
    send('a')
    sender.sendUnnumbered(bytes('nobody receives'))
    send('b')
    const first = new RecordingLink()
    sender.sendOn(first)
    await settle()
    sender.sendOn(null)
    send('c')
    const next = new RecordingLink()
    next.sentUpTo = 1
    sender.sendOn(next)
    await settle()
    expect(first.sends).toEqual(['1:a 2:b'])
    expect(next.sends).toEqual(['2:b 3:c'])
  })

  test('unnumbered messages for one link are not sent on the next', async () => {
    const first = new RecordingLink()
    sender.sendOn(first)
    sender.sendUnnumbered(bytes('cursor'))
    const next = new RecordingLink()
    sender.sendOn(next)
    await settle()
    expect([first.sends, next.sends]).toEqual([[], []])
  })

  test('[S1] acknowledges along with other messages, otherwise within the time', async () => {
    const link = new RecordingLink()
    sender.sendOn(link)
    received = 3
    sender.oweAcknowledgement()
    send('a')
    await settle()
    expect(link.sends).toEqual(['1:a received:3'])
    received = 5
    sender.oweAcknowledgement()
    sender.oweAcknowledgement()
    await clock.pass(ACKNOWLEDGE_MS - 1)
    expect(link.sends).toHaveLength(1)
    await clock.pass(1)
    expect(link.sends.slice(1)).toEqual(['received:5'])
    await clock.pass(10 * ACKNOWLEDGE_MS)
    expect(link.sends).toHaveLength(2)
  })

  test('[S1] an acknowledgement that fell due without a link goes out on the next, and so do later ones', async () => {
    sender.sendOn(new RecordingLink())
    received = 1
    sender.oweAcknowledgement()
    sender.sendOn(null)
    await clock.pass(10 * ACKNOWLEDGE_MS)
    const link = new RecordingLink()
    sender.sendOn(link)
    await clock.pass(ACKNOWLEDGE_MS)
    expect(link.sends).toEqual(['received:1'])
    received = 2
    sender.oweAcknowledgement()
    await clock.pass(ACKNOWLEDGE_MS)
    expect(link.sends).toEqual(['received:1', 'received:2'])
  })

  test('sends nothing once it is stopped', async () => {
    const link = new RecordingLink()
    sender.sendOn(link)
    sender.oweAcknowledgement()
    send('a')
    sender.stop()
    await clock.pass(10 * ACKNOWLEDGE_MS)
    expect(link.sends).toEqual([])
    expect(clock.timers).toBe(0)
  })
})
