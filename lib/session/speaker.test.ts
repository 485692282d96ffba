import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, settle } from './fixtures/manual-clock.ts'
import { Speaker } from './speaker.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (word: string) => new TextEncoder().encode(word)
const CONFIRM_MS = 200

class Heard {
  sentUpTo = 0
  readonly sends: string[] = []
  send(messages: readonly Uint8Array[]): void {
    this.sends.push(messages.map(text).join(' '))
  }
}

let clock: ManualClock
let speaker: Speaker<{ number: number; bytes: Uint8Array }>
let received: number

beforeEach(() => {
  clock = new ManualClock()
  received = 0
  speaker = new Speaker({
    clock,
    confirmWithinMs: CONFIRM_MS,
    confirmation: () => bytes(`received:${received}`),
  })
})

const say = (word: string) => speaker.say((number) => ({ number, bytes: bytes(`${number}:${word}`) }))

describe('a speaker', () => {
  test('says what one turn brought in one send, numbered before unnumbered', async () => {
    const link = new Heard()
    speaker.speakOn(link)
    say('a')
    speaker.sayOnce(bytes('cursor'))
    say('b')
    await settle()
    expect(link.sends).toEqual(['1:a 2:b cursor'])
  })

  test('[S2] keeps the numbered for the next link, and repeats from where that one stands', async () => {
    say('a')
    speaker.sayOnce(bytes('nobody hears'))
    say('b')
    const first = new Heard()
    speaker.speakOn(first)
    await settle()
    speaker.speakOn(null)
    say('c')
    const next = new Heard()
    next.sentUpTo = 1
    speaker.speakOn(next)
    await settle()
    expect(first.sends).toEqual(['1:a 2:b'])
    expect(next.sends).toEqual(['2:b 3:c'])
  })

  test('unnumbered words for one link are not said on the next', async () => {
    const first = new Heard()
    speaker.speakOn(first)
    speaker.sayOnce(bytes('cursor'))
    const next = new Heard()
    speaker.speakOn(next)
    await settle()
    expect([first.sends, next.sends]).toEqual([[], []])
  })

  test('[S1] confirms along with what it says, else within the time', async () => {
    const link = new Heard()
    speaker.speakOn(link)
    received = 3
    speaker.oweConfirmation()
    say('a')
    await settle()
    expect(link.sends).toEqual(['1:a received:3'])
    received = 5
    speaker.oweConfirmation()
    speaker.oweConfirmation()
    await clock.pass(CONFIRM_MS - 1)
    expect(link.sends).toHaveLength(1)
    await clock.pass(1)
    expect(link.sends.slice(1)).toEqual(['received:5'])
    await clock.pass(10 * CONFIRM_MS)
    expect(link.sends).toHaveLength(2)
  })

  test('[S1] a confirmation that fell due without a link is owed on the next, and the ones after it come too', async () => {
    speaker.speakOn(new Heard())
    received = 1
    speaker.oweConfirmation()
    speaker.speakOn(null)
    await clock.pass(10 * CONFIRM_MS)
    const link = new Heard()
    speaker.speakOn(link)
    await clock.pass(CONFIRM_MS)
    expect(link.sends).toEqual(['received:1'])
    received = 2
    speaker.oweConfirmation()
    await clock.pass(CONFIRM_MS)
    expect(link.sends).toEqual(['received:1', 'received:2'])
  })

  test('says nothing once it is stopped', async () => {
    const link = new Heard()
    speaker.speakOn(link)
    speaker.oweConfirmation()
    say('a')
    speaker.stop()
    await clock.pass(10 * CONFIRM_MS)
    expect(link.sends).toEqual([])
    expect(clock.timers).toBe(0)
  })
})
