import { describe, expect, test } from 'vitest'
import type { CloseReason } from '../protocol/close.ts'
import {
  ACCEPTS,
  type Behaviour,
  HANGS,
  HOLDS_BACK,
  PROOF,
  REFUSES,
  SEQUENCE,
} from './fixtures/fake-transports.ts'
import { startLinks, switchOutcome, LinksFixture } from './fixtures/links-fixture.ts'
import { settle } from '../fixtures/wait.ts'

const noReason: CloseReason = { code: 'drained' }

describe('a link', () => {
  test('is in use once it has proved itself', async () => {
    const fixture = await startLinks()
    expect(fixture.links.state).toMatchObject({ name: 'up', attempt: 0, link: fixture.links.current })
    expect(fixture.inUse).toBe('websocket')
    expect(fixture.evidence).toEqual({ websocket: 'in use' })
    expect(fixture.links.record.opened).toBe(1)
  })

  test('frames that arrive before the opening resolves are delivered after it, in order', async () => {
    const eager: Behaviour = async (attempt) => {
      const link = await ACCEPTS(attempt)
      for (const byte of [2, 3, 4]) attempt.sink.onFrame(Uint8Array.of(0, byte))
      await settle()
      return link
    }
    const fixture = await startLinks({ websocket: eager })
    await settle()
    expect(fixture.received).toEqual(['websocket:2', 'websocket:3', 'websocket:4'])
    expect(fixture.inUse).toBe('websocket')
  })

  test('a frame that does not decode closes its link with the reason', async () => {
    const fixture = await startLinks()
    fixture.transports.websocket.last.sendFromServer(Uint8Array.of(0x80))
    expect(fixture.transports.websocket.last.closeReason?.code).toBe('bad-frame')
    expect(fixture.links.state.name).toBe('connecting') // a network may have garbled it
  })
})

describe('[S9] reasons by fate', () => {
  test.each<CloseReason>([
    { code: 'sign-in' },
    { code: 'version' },
    { code: 'bad-update' },
    { code: 'forbidden' },
  ])('$code ends it for good, at an opening and later', async (reason) => {
    const refused = await startLinks({ websocket: REFUSES('no', reason.code) })
    expect(refused.links.state).toMatchObject({ name: 'stopped', reason })
    const lost = await startLinks()
    lost.transports.websocket.last.drop(reason)
    expect(lost.links.state).toEqual({ name: 'stopped', reason })
    for (const fixture of [refused, lost]) {
      await fixture.clock.pass(600_000)
      expect(fixture.clock.timers).toBe(0)
      expect(await switchOutcome(fixture, 'sse')).toContain('.')
      expect(fixture.transports.sse.signals).toHaveLength(0)
    }
  })
})

describe('[S4] switching is make-before-break', () => {
  test('there is never a moment without a link, and the old one drains until its last frame', async () => {
    const fixture = await startLinks()
    const old = fixture.transports.websocket.last
    const outcome = switchOutcome(fixture, 'sse')
    expect(fixture.links.switchingTo).toBe('sse')
    expect(fixture.inUse).toBe('websocket')
    expect(await outcome).toBe('switched')
    expect(fixture.inUse).toBe('sse')
    old.sendFromServer(Uint8Array.of(0, 7))
    expect(fixture.received).toEqual(['websocket:7'])
    expect(old.isOpen).toBe(true)
    expect([fixture.gapCount, fixture.links.record.switches, fixture.links.record.longestGapMs]).toEqual([
      0, 1, 0,
    ])
  })

  test('the old link closes when it is drained, or after 5 s', async () => {
    const fixture = await startLinks()
    const [first] = fixture.transports.websocket.links
    const live = fixture.links.current!
    await switchOutcome(fixture, 'sse')
    fixture.links.onDrained(live)
    expect(first!.closeReason).toEqual(noReason)
    const second = fixture.transports.sse.last
    await switchOutcome(fixture, 'websocket')
    await fixture.clock.pass(4_999)
    expect(second.isOpen).toBe(true)
    await fixture.clock.pass(1)
    expect(second.closeReason).toEqual(noReason)
    expect(fixture.gapCount).toBe(0)
  })

  test('switching back and forth works a hundred times', async () => {
    const fixture = await startLinks()
    for (let turn = 0; turn < 50; turn++) {
      expect(await switchOutcome(fixture, 'sse')).toBe('switched')
      expect(await switchOutcome(fixture, 'websocket')).toBe('switched')
    }
    await fixture.clock.pass(5_000)
    const open = [...fixture.transports.websocket.links, ...fixture.transports.sse.links].filter(
      ({ isOpen }) => isOpen,
    )
    expect(open).toEqual([fixture.transports.websocket.last])
    expect([fixture.gapCount, fixture.links.record.switches]).toEqual([0, 100])
  })

  test.each([
    ['refuses', REFUSES('403'), /\(403\)/],
    ['holds back', HOLDS_BACK, /no answer within 2.0 s/],
    ['hangs', HANGS, /no answer within 2.0 s/],
    ['is for somebody else', REFUSES('no', 'forbidden'), /no such document/],
  ])(
    'a new link that %s leaves the old one in use, and the switch rejects with the reason',
    async (_what, sse, message) => {
      const fixture = await startLinks({ sse })
      const outcome = switchOutcome(fixture, 'sse')
      await fixture.clock.pass(10_000)
      expect(await outcome).toMatch(message)
      expect(fixture.inUse).toBe('websocket')
      expect(fixture.links.chooser.wanted).toBe('automatic')
      expect(fixture.links.switchingTo).toBe(undefined)
      expect(fixture.evidence.sse).toMatch(message)
      expect([fixture.gapCount, fixture.transports.websocket.links.length]).toEqual([0, 1])
    },
  )

  test('if the old link is lost during a switch, the new one takes over and nothing else is opened', async () => {
    const fixture = await startLinks({ sse: HOLDS_BACK })
    const outcome = switchOutcome(fixture, 'sse')
    await settle()
    fixture.transports.websocket.last.drop()
    expect(fixture.links.state.name).toBe('connecting')
    await fixture.clock.pass(500)
    fixture.transports.sse.last.sendFromServer(PROOF)
    expect(await outcome).toBe('switched')
    expect(fixture.inUse).toBe('sse')
    expect(fixture.links.record.longestGapMs).toBe(500)
    expect(fixture.transports.websocket.links).toHaveLength(1)
  })

  test('if both links are lost during a switch, the switch fails and retrying continues', async () => {
    const fixture = await startLinks({ sse: SEQUENCE(HOLDS_BACK, ACCEPTS) })
    const outcome = switchOutcome(fixture, 'sse')
    await settle()
    fixture.transports.websocket.last.drop()
    fixture.transports.sse.last.drop()
    expect(await outcome).toBe('The connection broke.')
    expect(fixture.links.state.name).toBe('waiting')
    await fixture.clock.pass(250)
    expect(fixture.inUse).toBe('sse')
  })

  test('if a second switch starts during the first, the first gives up and the second counts', async () => {
    const fixture = await startLinks({ sse: HANGS, memory: ACCEPTS })
    const first = switchOutcome(fixture, 'sse')
    const second = switchOutcome(fixture, 'memory')
    expect(await first).toMatch(/Closed by this side/)
    expect(await second).toBe('switched')
    expect(fixture.transports.sse.signals[0]!.aborted).toBe(true)
    expect([fixture.inUse, fixture.links.chooser.wanted, fixture.gapCount]).toEqual(['memory', 'memory', 0])
  })

  test('two switches to the same transport: its success makes it the wanted one', async () => {
    const fixture = await startLinks({ sse: SEQUENCE(HANGS, ACCEPTS) })
    const first = switchOutcome(fixture, 'sse')
    const second = switchOutcome(fixture, 'sse')
    await first
    expect(await second).toBe('switched')
    expect(fixture.links.chooser.wanted).toBe('sse')
  })

  test('a failed switch goes back to what worked, not to another that failed', async () => {
    const fixture = await startLinks({ wanted: 'websocket', sse: HANGS, memory: REFUSES('403') })
    const first = switchOutcome(fixture, 'sse')
    await switchOutcome(fixture, 'memory')
    await first
    expect([fixture.inUse, fixture.links.chooser.wanted]).toEqual(['websocket', 'websocket'])
  })

  test('a switch to the transport in use opens nothing, and gives up a switch under way', async () => {
    const fixture = await startLinks({ sse: HANGS })
    const first = switchOutcome(fixture, 'sse')
    expect(await switchOutcome(fixture, 'websocket')).toBe('switched')
    await first
    expect(fixture.links.chooser.wanted).toBe('websocket')
    expect(fixture.transports.websocket.signals).toHaveLength(1)
  })

  test('a choice made before the start opens the first link, and the start opens no other', async () => {
    const fixture = new LinksFixture({})
    const outcome = switchOutcome(fixture, 'sse')
    fixture.links.start()
    expect(await outcome).toBe('switched')
    expect([fixture.inUse, fixture.attemptCounts.websocket]).toEqual(['sse', 0])
  })

  test('a switch ends the wait for a retry', async () => {
    const fixture = await startLinks({ wanted: 'websocket', websocket: REFUSES('403') })
    expect(fixture.links.state.name).toBe('waiting')
    expect(await switchOutcome(fixture, 'sse')).toBe('switched')
    await fixture.clock.pass(60_000)
    expect(fixture.transports.websocket.signals).toHaveLength(1)
  })

  test('a choice of Automatic goes back to a transport that has not failed', async () => {
    const fixture = await startLinks({ wanted: 'sse' })
    expect(await switchOutcome(fixture, 'automatic')).toBe('switched')
    expect(fixture.inUse).toBe('websocket')
  })
})

describe('stopping', () => {
  test('stop closes every link, gives up the opening, leaves no timer', async () => {
    const fixture = await startLinks({ memory: HANGS })
    await switchOutcome(fixture, 'sse')
    const outcome = switchOutcome(fixture, 'memory')
    fixture.links.stop({ code: 'done' })
    expect(await outcome).toMatch(/Closed by this side/)
    expect(fixture.transports.memory.signals[0]!.aborted).toBe(true)
    expect(fixture.transports.websocket.last.isOpen).toBe(false)
    expect(fixture.transports.sse.last.closeReason).toEqual({ code: 'done' })
    expect(fixture.links.state).toEqual({ name: 'stopped', reason: { code: 'done' } })
    expect(fixture.clock.timers).toBe(0)
  })

  test('a link that opens after stop is closed at once', async () => {
    const late: Behaviour = async (attempt) => {
      await settle()
      return ACCEPTS(attempt)
    }
    const fixture = new LinksFixture({ websocket: late })
    fixture.links.start()
    fixture.links.stop({ code: 'done' })
    await settle()
    await settle()
    expect(fixture.transports.websocket.last.isOpen).toBe(false)
    expect(fixture.links.record.opened).toBe(0)
  })
})
