import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NetworkPlatform } from '../net/net.ts'
import { type RecordedLink, openRecordedLink } from '../recording-sink.ts'
import type { Link, LinkInfo, LinkTarget, Transport } from '../transport.ts'
import { SharingBrowser, type SharingWindow, createFrame, target } from './fixtures/sharing-browser.ts'
import { shouldShareLink } from './shared-transport.ts'

let browser: SharingBrowser

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  browser = new SharingBrowser()
})
afterEach(() => vi.useRealTimers())

/** Runs everything that does not wait for a timer. */
const settleAll = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

const advanceTime = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

async function sendAndSettle({ link }: RecordedLink, ...bytes: number[]): Promise<void> {
  void link.send(createFrame(...bytes))
  await settleAll()
}

const openLinks = (): number => browser.links.length

/** The same transport, with some members of its links replaced. */
const withChangedLink = (base: Transport, change: (link: Link) => Partial<Link>): Transport => ({
  ...base,
  async open(...args) {
    const link = await base.open(...args)
    const same: Link = {
      send: (bytes) => link.send(bytes),
      close: (reason) => link.close(reason),
      info: link.info,
    }
    return Object.defineProperties(same, Object.getOwnPropertyDescriptors(change(link)))
  },
})

/** A leader and a follower. */
async function openPair() {
  const [leader, follower] = [browser.openWindow(), browser.openWindow()]
  return { leader, follower, leaderEnds: await leader.open(1), followerEnds: await follower.open(2) }
}

describe('[T7] windows of one browser', () => {
  test('share one link, and each receives its own frames', async () => {
    const windows = Array.from({ length: 8 }, () => browser.openWindow())
    const ends = []
    for (const [byte, window] of windows.entries()) ends.push(await window.open(byte))
    expect(openLinks()).toBe(1)
    for (const [byte, { client, server }] of ends.entries()) {
      await sendAndSettle(server, 100 + byte)
      expect([server.received.frames, client.received.frames]).toEqual([
        [createFrame(byte)],
        [createFrame(100 + byte)],
      ])
    }
    expect(ends.map(({ client }) => client.link.info.sharedBy)).toEqual([
      'this window',
      ...Array<string>(7).fill('another window'),
    ])
  })

  test('[A2] use another link for another token', async () => {
    await browser.openWindow().open(1, { ...target, token: 'one' })
    await browser.openWindow().open(2, { ...target, token: 'one' })
    await browser.openWindow().open(3, { ...target, token: 'another' })
    expect(openLinks()).toBe(2)
  })

  test('[T1] lose their links together when the shared one is lost, with its reason', async () => {
    const { leaderEnds, followerEnds } = await openPair()
    browser.links[0]!.close({ code: 'going-away', retryAfterMs: 700 })
    await settleAll()
    for (const { client } of [leaderEnds, followerEnds])
      expect(client.received.closes).toEqual([{ code: 'going-away', retryAfterMs: 700 }])
  })

  test('[T1] stay connected when the server closes one of them', async () => {
    const { leaderEnds, followerEnds } = await openPair()
    leaderEnds.server.link.close({ code: 'version', detail: 'old' })
    await sendAndSettle(followerEnds.server, 9)
    expect(leaderEnds.client.received.closes).toEqual([{ code: 'version', detail: 'old' }])
    expect(followerEnds.client.received).toMatchObject({ closes: [], frames: [createFrame(9)] })
  })

  test('[T1] all receive the reason if no link could be opened', async () => {
    const refusing: Transport = {
      ...browser.createBaseTransport(),
      open: () => Promise.reject(new Error('refused')),
    }
    const windows = [browser.openWindow(refusing), browser.openWindow(refusing)]
    for (const window of windows) await expect(window.open()).rejects.toThrow(/refused/)
  })

  test('close the link with the last follower', async () => {
    const { leaderEnds, followerEnds } = await openPair()
    leaderEnds.client.link.close({ code: 'done' })
    await settleAll()
    expect(followerEnds.server.received.closes).toEqual([])
    followerEnds.client.link.close({ code: 'done' })
    await settleAll()
    expect(followerEnds.server.received.closes).toEqual([{ code: 'done' }])
  })

  test('[T2] wait in send while the network takes nothing, also in a follower', async () => {
    let gate = Promise.withResolvers<void>()
    const slow = withChangedLink(browser.createBaseTransport(), (link) => ({
      send: (bytes) => gate.promise.then(() => link.send(bytes)),
    }))
    const large = new Uint8Array(70_000)
    for (const window of [browser.openWindow(slow), browser.openWindow(slow)]) {
      const { link } = await openRecordedLink({ transport: window.transport, target })
      gate = Promise.withResolvers()
      let wasSent = false
      void link.send(large).then(() => (wasSent = true))
      await settleAll()
      expect(wasSent).toBe(false)
      gate.resolve()
      await settleAll()
      expect(wasSent).toBe(true)
    }
  })

  test('receive a change of the link’s info', async () => {
    let info: LinkInfo = { transport: 'memory', protocol: 'http/1.1', up: 'batched posts' }
    const changing = withChangedLink(browser.createBaseTransport(), () => ({
      get info() {
        return info
      },
    }))
    await browser.openWindow(changing).open(1)
    const { client, server } = await browser.openWindow(changing).open(2)
    info = { ...info, up: 'streamed body' }
    await sendAndSettle(server, 1)
    expect(client.link.info).toEqual({ ...info, sharedBy: 'another window' })
  })
})

describe('[T7] the leader', () => {
  test('keeps the link for the others when it needs none itself', async () => {
    const { leaderEnds, followerEnds } = await openPair()
    leaderEnds.client.link.close({ code: 'drained' })
    await advanceTime(60_000)
    await sendAndSettle(followerEnds.client, 7)
    expect(followerEnds.server.received.frames).toEqual([createFrame(2), createFrame(7)])
    expect(followerEnds.client.received.closes).toEqual([])
  })

  test('stops leading after a while without followers', async () => {
    const { leader, leaderEnds, followerEnds } = await openPair()
    for (const { client } of [leaderEnds, followerEnds]) client.link.close({ code: 'done' })
    await advanceTime(20_000)
    expect([browser.channels.size, browser.locks.isHeld('diptych:link:memory:http://localhost')]).toEqual([
      0,
      false,
    ])
    expect((await leader.open(3)).client.link.info.sharedBy).toBe('this window')
  })

  test.each([
    ['crashes', (window: SharingWindow) => window.crash()],
    ['leaves', (window: SharingWindow) => window.leave()],
  ])('%s: the others lose their links, once, and the next of them leads', async (_how, go) => {
    const windows = Array.from({ length: 4 }, () => browser.openWindow())
    const ends = []
    for (const window of windows) ends.push(await window.open())
    go(windows[0]!)
    await settleAll()
    const remaining = windows.slice(1)
    expect(ends.slice(1).map(({ client }) => client.received.closes)).toEqual(
      remaining.map(() => [{ code: 'handed-over' }]),
    )
    const reopened = []
    for (const window of remaining) reopened.push(await window.open())
    expect(reopened.map(({ client }) => client.link.info.sharedBy)).toEqual([
      'this window',
      'another window',
      'another window',
    ])
    expect(openLinks()).toBe(2)
  })

  test('crashes before its link is open: waiting followers connect to the next leader in the same attempt', async () => {
    const opening = Promise.withResolvers<void>()
    browser.openingGate = opening.promise
    const leader = browser.openWindow()
    void leader.open(1)
    const waiting = [browser.openWindow().open(2), browser.openWindow().open(3)]
    await settleAll()
    leader.crash()
    browser.openingGate = Promise.resolve()
    const ends = await Promise.all(waiting)
    expect(ends.map(({ client }) => client.link.info.sharedBy)).toEqual(['this window', 'another window'])
  })

  test('alone and about to freeze, keeps its link', async () => {
    const window = browser.openWindow()
    const { client, server } = await window.open()
    window.leave()
    await sendAndSettle(server, 5)
    expect(client.received).toMatchObject({ closes: [], frames: [createFrame(5)] })
  })

  test('[W7] notices that a follower crashed, and informs the server alone', async () => {
    const { follower, leaderEnds, followerEnds } = await openPair()
    follower.crash()
    await settleAll()
    expect(followerEnds.server.received.closes).toEqual([{ code: 'lost', detail: 'its window is gone' }])
    await sendAndSettle(leaderEnds.client, 3)
    expect(leaderEnds.server.received).toMatchObject({ closes: [], frames: [createFrame(1), createFrame(3)] })
  })
})

describe('[T7] a frozen leader', () => {
  test('is noticed by its missing answers, and loses the leadership to the window that pinged', async () => {
    const { leader, follower, followerEnds } = await openPair()
    leader.freeze()
    await sendAndSettle(followerEnds.client, 4)
    await advanceTime(1_999)
    expect(followerEnds.client.received.closes).toEqual([])
    await advanceTime(1)
    expect(followerEnds.client.received.closes).toEqual([
      { code: 'handed-over', detail: 'the one that had it did not answer' },
    ])
    expect((await follower.open(5)).client.link.info.sharedBy).toBe('this window')
  })

  test('thaws: its own links end, the link that carried the others is closed, and it follows', async () => {
    const { leader, follower, leaderEnds, followerEnds } = await openPair()
    leader.freeze()
    await sendAndSettle(followerEnds.client, 4)
    await advanceTime(2_000)
    await follower.open(5)
    leader.thaw()
    await settleAll()
    expect(leaderEnds.client.received.closes).toEqual([
      { code: 'handed-over', detail: 'the one that had it did not answer' },
    ])
    expect([leaderEnds.server.received.closes.length, followerEnds.server.received.closes.length]).toEqual([
      1, 1,
    ])
    expect((await leader.open(6)).client.link.info.sharedBy).toBe('another window')
    expect(openLinks()).toBe(2)
  })

  test('answers calls from the time when it was frozen, but too late to count', async () => {
    const { leader, follower, followerEnds } = await openPair()
    leader.freeze()
    await sendAndSettle(followerEnds.client, 4)
    await advanceTime(2_000)
    await follower.open(5)
    const third = browser.openWindow()
    const opening = third.open(6)
    leader.thaw()
    const { client, server } = await opening
    await sendAndSettle(client, 7)
    expect([client.received.closes, server.received.frames]).toEqual([[], [createFrame(6), createFrame(7)]])
  })

  test('is noticed by a window that opens', async () => {
    const { leader, follower } = await openPair()
    leader.freeze()
    follower.hide()
    const opening = browser.openWindow().open(3)
    await advanceTime(1_000)
    expect((await opening).client.link.info.sharedBy).toBe('this window')
  })

  test('is not judged by hidden windows, but by the next visible one', async () => {
    const { leader, follower, followerEnds } = await openPair()
    leader.freeze()
    follower.hide()
    await sendAndSettle(followerEnds.client, 4)
    await advanceTime(60_000)
    expect(followerEnds.client.received.closes).toEqual([])
    follower.show()
    await advanceTime(1_000)
    expect(followerEnds.client.received.closes).toHaveLength(1)
  })

  test('makes a hidden window give up its opening, without blame for the network', async () => {
    const { leader, follower } = await openPair()
    leader.freeze()
    follower.hide()
    const hidden = browser.openWindow()
    hidden.hide()
    const opening = expect(hidden.open(3)).rejects.toMatchObject({
      reason: { code: 'handed-over', detail: 'the one that has it does not answer' },
    })
    await advanceTime(1_000)
    await opening
  })

  test('is replaced once, however many links of a window noticed', async () => {
    const { leader, follower, followerEnds } = await openPair()
    const second = await follower.open(3)
    leader.freeze()
    await sendAndSettle(followerEnds.client, 4)
    await sendAndSettle(second.client, 5)
    await advanceTime(2_000)
    const reopened = [await follower.open(6), await follower.open(7)]
    await advanceTime(10_000)
    expect(reopened.map(({ client }) => client.received.closes)).toEqual([[], []])
  })

  test('keeps the leadership if it answers in time', async () => {
    const { leader, followerEnds } = await openPair()
    leader.freeze()
    await sendAndSettle(followerEnds.client, 4)
    await advanceTime(1_500)
    leader.thaw()
    await advanceTime(5_000)
    expect(followerEnds.client.received.closes).toEqual([])
    expect(followerEnds.server.received.frames).toEqual([createFrame(2), createFrame(4)])
  })
})

const netWithProtocol = (protocol: string): NetworkPlatform =>
  ({ protocolOf: () => protocol }) as unknown as NetworkPlatform

test.each([
  ['http://localhost', '', undefined, true],
  ['http://localhost', 'http/1.1', 'automatic', true],
  ['https://localhost', 'http/1.1', 'automatic', true],
  ['https://localhost', 'h2', 'automatic', false],
  ['https://localhost', '', 'automatic', false],
  ['https://localhost', 'h2', 'always', true],
  ['http://localhost', 'http/1.1', 'never', false],
] as const)('%s over %j, set to %s: shared %s', (origin, protocol, sharing, expected) => {
  const to: LinkTarget = { origin, net: netWithProtocol(protocol), ...(sharing && { sharing }) }
  expect(shouldShareLink(to)).toBe(expected)
})
