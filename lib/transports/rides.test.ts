import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closeCodes } from '../protocol/close.ts'
import { emptyFrame } from '../protocol/ride.ts'
import type { LinkEnd } from './link.ts'
import { memoryPair } from './memory.ts'
import { Acceptor, type End, Recorder } from './recorder.ts'
import { Rides } from './rides.ts'
import type { Link, Sink } from './transport.ts'

/** The two ends of one link, and what is between them: tasks that a test runs when it likes. */
function linked(limit?: number) {
  const tasks: (() => void)[] = []
  const acceptor = new Acceptor()
  const emptied: string[] = []
  const near = new Rides({ onEmpty: () => emptied.push('near') })
  const far = new Rides({
    accept: acceptor.accept,
    onEmpty: () => emptied.push('far'),
    ...(limit && { limit }),
  })
  const closes: string[] = []
  const [left, right] = memoryPair(heard(near, closes), heard(far, closes), (task) => tasks.push(task))
  near.carriedBy(left)
  far.carriedBy(right)
  const settle = (): void => {
    for (let task = tasks.shift(); task; task = tasks.shift()) task()
  }
  return { near, far, left, right, acceptor, emptied, closes, settle }
}

const heard = (rides: Rides, closes: string[]): Sink => ({
  onFrame: (frame) => rides.onFrame(frame),
  onClosed(reason) {
    closes.push(reason.code)
    rides.onClosed(reason)
  },
})

function begin(rides: Rides): { link: LinkEnd; heard: Recorder } {
  const end = { link: rides.begin(), heard: new Recorder() }
  end.link.attach(end.heard)
  return end
}

const frameOf = (...bytes: number[]): Uint8Array<ArrayBuffer> => Uint8Array.of(0, ...bytes)

const said = async ({ link }: { link: Link }, ...bytes: number[]): Promise<void> =>
  link.send(frameOf(...bytes))

describe('several links over one', () => {
  test('[T2] each hears its own frames alone, whole and in order, both ways', () => {
    const turn = fc.record({ ride: fc.nat(9), up: fc.boolean(), bytes: fc.uint8Array({ maxLength: 50 }) })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 100 }), (turns) => {
        const { near, acceptor, settle } = linked()
        const riders = Array.from({ length: 10 }, () => begin(near))
        for (const rider of riders) void said(rider)
        settle()
        const seats = acceptor.ends
        for (const { ride, up, bytes } of turns) void said((up ? riders[ride] : seats[ride])!, ...bytes)
        settle()
        const sent = (ride: number, up: boolean) =>
          turns.filter((one) => one.ride === ride && one.up === up).map(({ bytes }) => frameOf(...bytes))
        riders.forEach((rider, ride) => expect(rider.heard.frames).toEqual(sent(ride, false)))
        seats.forEach((seat, ride) => expect(seat.heard.frames.slice(1)).toEqual(sent(ride, true)))
      }),
      { numRuns: 50 },
    )
  })

  test('[T1] one that leaves tells why, and the others go on', async () => {
    for (const code of closeCodes) {
      for (const closer of ['near', 'far'] as const) {
        const { near, acceptor, settle, closes } = linked()
        const [first, second] = [begin(near), begin(near)]
        for (const rider of [first, second]) void said(rider)
        settle()
        const [here, there] = [acceptor.ends[0]!, acceptor.ends[1]!]
        const reason = { code, detail: 'why' }
        ;(closer === 'near' ? first : here).link.close(reason)
        settle()
        expect([first.heard.closes, here.heard.closes]).toEqual([[reason], [reason]])
        await said(second, 1)
        await said(there, 2)
        settle()
        expect([second.heard.frames, there.heard.frames.slice(1)]).toEqual([[frameOf(2)], [frameOf(1)]])
        expect(closes).toEqual([])
      }
    }
  })

  test('[T1] a link that ends ends all that ride on it, those that said nothing yet as well', () => {
    const { near, left, acceptor, settle } = linked()
    const [first, second] = [begin(near), begin(near)]
    void said(first)
    settle()
    left.close({ code: 'lost' })
    settle()
    expect([first, second, acceptor.ends[0]!].map(({ heard: { closes } }) => closes)).toEqual([
      [{ code: 'lost' }],
      [{ code: 'lost' }],
      [{ code: 'lost' }],
    ])
  })

  test('[T1] what was on its way to one that left reaches nobody, and begins nothing', async () => {
    const { near, acceptor, settle } = linked()
    const first = begin(near)
    await said(first)
    settle()
    const [seat] = acceptor.ends as [End]
    await said(first, 1)
    seat.link.close({ code: 'overloaded' })
    await said(seat, 2)
    const next = begin(near)
    await said(next, 3)
    settle()
    expect(first.heard).toMatchObject({ frames: [], late: 0, closes: [{ code: 'overloaded' }] })
    expect(seat.heard).toMatchObject({ frames: [frameOf()], late: 0 })
    expect(acceptor.ends.map(({ heard: { frames } }) => frames)).toEqual([[frameOf()], [frameOf(3)]])
  })

  test('[A6] one more than the limit is sent away, the others go on', async () => {
    const { near, acceptor, settle, closes } = linked(2)
    const riders = [begin(near), begin(near), begin(near)]
    for (const rider of riders) await said(rider, 1)
    settle()
    expect(riders.map(({ heard: { closes: own } }) => own.length)).toEqual([0, 0, 1])
    expect(riders[2]!.heard.closes).toEqual([
      { code: 'overloaded', detail: 'more than 2 sessions on one link' },
    ])
    riders[0]!.link.close({ code: 'done' })
    await said(begin(near), 4)
    settle()
    expect([acceptor.ends.length, closes]).toEqual([3, []])
  })

  test('both sides hear when the last one left', () => {
    const { near, emptied, settle } = linked()
    const [first, second] = [begin(near), begin(near)]
    for (const rider of [first, second]) void said(rider)
    first.link.close({ code: 'done' })
    settle()
    expect(emptied).toEqual([])
    second.link.close({ code: 'done' })
    settle()
    expect(emptied).toEqual(['near', 'far'])
  })

  test('a link that carries one session is that session’s: its close is the link’s', async () => {
    const { left, acceptor, settle, closes } = linked()
    await left.send(frameOf(7))
    settle()
    const [seat] = acceptor.ends as [End]
    expect(seat.heard.frames).toEqual([frameOf(7)])
    seat.link.close({ code: 'version', detail: 'old' })
    settle()
    expect(closes).toEqual(['version', 'version'])
  })

  test('[A6] random frames end the link or pass over, and never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 20 }), (frames) => {
        const { left, right, settle } = linked(4)
        for (const frame of frames) void left.send(new Uint8Array(frame))
        for (const frame of frames) void right.send(new Uint8Array(frame))
        settle()
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['that is empty', new Uint8Array()],
    ['under another’s number', Uint8Array.of(8, 1)],
  ])('a rider’s frame %s is refused, and takes nobody along', async (_what, frame) => {
    const { near, settle, closes } = linked()
    const rider = begin(near)
    await expect(rider.link.send(frame)).rejects.toThrow()
    await rider.link.send(emptyFrame(false, 1))
    settle()
    expect([closes, rider.heard.closes]).toEqual([[], []])
  })
})
