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
import { started, switching, World } from './fixtures/links-world.ts'
import { settle } from './fixtures/manual-clock.ts'

const noReason: CloseReason = { code: 'drained' }

describe('a link', () => {
  test('is in use once it has proved itself', async () => {
    const world = await started()
    expect(world.links.state).toEqual({ name: 'up', attempt: 0 })
    expect(world.inUse).toBe('websocket')
    expect(world.evidence).toEqual({ websocket: 'in use' })
    expect(world.links.record.opened).toBe(1)
  })

  test('frames that come before the opening has resolved are heard after it, in order', async () => {
    const eager: Behaviour = async (attempt) => {
      const link = await ACCEPTS(attempt)
      for (const byte of [2, 3, 4]) attempt.sink.onFrame(Uint8Array.of(0, byte))
      await settle()
      return link
    }
    const world = await started({ websocket: eager })
    await settle()
    expect(world.heard).toEqual(['websocket:2', 'websocket:3', 'websocket:4'])
    expect(world.inUse).toBe('websocket')
  })

  test('a frame that does not decode closes its link with the reason', async () => {
    const world = await started()
    world.transports.websocket.last.say(Uint8Array.of(0x80))
    expect(world.transports.websocket.last.closedBy?.code).toBe('bad-frame')
    expect(world.links.state.name).toBe('connecting') // a network may have garbled it
  })
})

describe('[S9] reasons by fate', () => {
  test.each<CloseReason>([
    { code: 'sign-in' },
    { code: 'version' },
    { code: 'bad-update' },
    { code: 'forbidden' },
  ])('$code ends it for good, at an opening and later', async (reason) => {
    const refused = await started({ websocket: REFUSES('no', reason.code) })
    expect(refused.links.state).toMatchObject({ name: 'stopped', reason })
    const lost = await started()
    lost.transports.websocket.last.drop(reason)
    expect(lost.links.state).toEqual({ name: 'stopped', reason })
    for (const world of [refused, lost]) {
      await world.clock.pass(600_000)
      expect(world.clock.timers).toBe(0)
      expect(await switching(world, 'sse')).toContain('.')
      expect(world.transports.sse.signals).toHaveLength(0)
    }
  })
})

describe('[S4] switching is make-before-break', () => {
  test('there is never a moment without a link, and the old one drains until it has said its last', async () => {
    const world = await started()
    const old = world.transports.websocket.last
    const outcome = switching(world, 'sse')
    expect(world.links.switchingTo).toBe('sse')
    expect(world.inUse).toBe('websocket')
    expect(await outcome).toBe('switched')
    expect(world.inUse).toBe('sse')
    old.say(Uint8Array.of(0, 7))
    expect(world.heard).toEqual(['websocket:7'])
    expect(old.open).toBe(true)
    expect([world.gaps, world.links.record.switches, world.links.record.longestGapMs]).toEqual([0, 1, 0])
  })

  test('the old link goes when it is drained, or after 5 s', async () => {
    const world = await started()
    const [first] = world.transports.websocket.links
    const live = world.links.current!
    await switching(world, 'sse')
    world.links.drained(live)
    expect(first!.closedBy).toEqual(noReason)
    const second = world.transports.sse.last
    await switching(world, 'websocket')
    await world.clock.pass(4_999)
    expect(second.open).toBe(true)
    await world.clock.pass(1)
    expect(second.closedBy).toEqual(noReason)
    expect(world.gaps).toBe(0)
  })

  test('back and forth a hundred times', async () => {
    const world = await started()
    for (let turn = 0; turn < 50; turn++) {
      expect(await switching(world, 'sse')).toBe('switched')
      expect(await switching(world, 'websocket')).toBe('switched')
    }
    await world.clock.pass(5_000)
    const open = [...world.transports.websocket.links, ...world.transports.sse.links].filter(
      ({ open }) => open,
    )
    expect(open).toEqual([world.transports.websocket.last])
    expect([world.gaps, world.links.record.switches]).toEqual([0, 100])
  })

  test.each([
    ['refuses', REFUSES('403'), /\(403\)/],
    ['holds back', HOLDS_BACK, /no answer within 2.0 s/],
    ['hangs', HANGS, /no answer within 2.0 s/],
    ['is for somebody else', REFUSES('no', 'forbidden'), /no such document/],
  ])('a new link that %s leaves the old one in use, and says why', async (_what, sse, message) => {
    const world = await started({ sse })
    const outcome = switching(world, 'sse')
    await world.clock.pass(10_000)
    expect(await outcome).toMatch(message)
    expect(world.inUse).toBe('websocket')
    expect(world.links.chooser.wanted).toBe('automatic')
    expect(world.links.switchingTo).toBe(undefined)
    expect(world.evidence.sse).toMatch(message)
    expect([world.gaps, world.transports.websocket.links.length]).toEqual([0, 1])
  })

  test('the old link lost during a switch: the new one takes over, nothing else is opened', async () => {
    const world = await started({ sse: HOLDS_BACK })
    const outcome = switching(world, 'sse')
    await settle()
    world.transports.websocket.last.drop()
    expect(world.links.state.name).toBe('connecting')
    await world.clock.pass(500)
    world.transports.sse.last.say(PROOF)
    expect(await outcome).toBe('switched')
    expect(world.inUse).toBe('sse')
    expect(world.links.record.longestGapMs).toBe(500)
    expect(world.transports.websocket.links).toHaveLength(1)
  })

  test('both lost during a switch: the switch says so, and retrying goes on', async () => {
    const world = await started({ sse: SEQUENCE(HOLDS_BACK, ACCEPTS) })
    const outcome = switching(world, 'sse')
    await settle()
    world.transports.websocket.last.drop()
    world.transports.sse.last.drop()
    expect(await outcome).toBe('The connection broke.')
    expect(world.links.state.name).toBe('waiting')
    await world.clock.pass(250)
    expect(world.inUse).toBe('sse')
  })

  test('a switch while another is under way: the first gives up, the second counts', async () => {
    const world = await started({ sse: HANGS, memory: ACCEPTS })
    const first = switching(world, 'sse')
    const second = switching(world, 'memory')
    expect(await first).toMatch(/Closed by this side/)
    expect(await second).toBe('switched')
    expect(world.transports.sse.signals[0]!.aborted).toBe(true)
    expect([world.inUse, world.links.chooser.wanted, world.gaps]).toEqual(['memory', 'memory', 0])
  })

  test('twice to the same transport: its success is kept as what is wanted', async () => {
    const world = await started({ sse: SEQUENCE(HANGS, ACCEPTS) })
    const first = switching(world, 'sse')
    const second = switching(world, 'sse')
    await first
    expect(await second).toBe('switched')
    expect(world.links.chooser.wanted).toBe('sse')
  })

  test('a failed switch goes back to what worked, not to another that failed', async () => {
    const world = await started({ wanted: 'websocket', sse: HANGS, memory: REFUSES('403') })
    const first = switching(world, 'sse')
    await switching(world, 'memory')
    await first
    expect([world.inUse, world.links.chooser.wanted]).toEqual(['websocket', 'websocket'])
  })

  test('to the one in use: nothing is opened, and a switch under way is given up', async () => {
    const world = await started({ sse: HANGS })
    const first = switching(world, 'sse')
    expect(await switching(world, 'websocket')).toBe('switched')
    await first
    expect(world.links.chooser.wanted).toBe('websocket')
    expect(world.transports.websocket.signals).toHaveLength(1)
  })

  test('while waiting for a retry it does not wait', async () => {
    const world = await started({ wanted: 'websocket', websocket: REFUSES('403') })
    expect(world.links.state.name).toBe('waiting')
    expect(await switching(world, 'sse')).toBe('switched')
    await world.clock.pass(60_000)
    expect(world.transports.websocket.signals).toHaveLength(1)
  })

  test('up again by choice: automatic goes back to what has not failed', async () => {
    const world = await started({ wanted: 'sse' })
    expect(await switching(world, 'automatic')).toBe('switched')
    expect(world.inUse).toBe('websocket')
  })
})

describe('stopping', () => {
  test('closes every link, gives up the opening, leaves no timer', async () => {
    const world = await started({ memory: HANGS })
    await switching(world, 'sse')
    const outcome = switching(world, 'memory')
    world.links.stop({ code: 'done' })
    expect(await outcome).toMatch(/Closed by this side/)
    expect(world.transports.memory.signals[0]!.aborted).toBe(true)
    expect(world.transports.websocket.last.open).toBe(false)
    expect(world.transports.sse.last.closedBy).toEqual({ code: 'done' })
    expect(world.links.state).toEqual({ name: 'stopped', reason: { code: 'done' } })
    expect(world.clock.timers).toBe(0)
  })

  test('a link that opens all the same is closed at once', async () => {
    const late: Behaviour = async (attempt) => {
      await settle()
      return ACCEPTS(attempt)
    }
    const world = new World({ websocket: late })
    world.links.start()
    world.links.stop({ code: 'done' })
    await settle()
    await settle()
    expect(world.transports.websocket.last.open).toBe(false)
    expect(world.links.record.opened).toBe(0)
  })
})
