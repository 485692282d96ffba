import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NetworkPlatform } from '../net/net.ts'
import { type RecordedLink, openRecordedLink, RecordingSink } from '../fixtures/recording-sink.ts'
import type { Link, LinkInfo, LinkTarget, Transport } from '../transport.ts'
import { SharingBrowser, createFrame, target } from './fixtures/sharing-browser.ts'
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

async function openPair() {
  const windows = [browser.openWindow(), browser.openWindow()] as const
  return { windows, ends: [await windows[0].open(1), await windows[1].open(2)] as const }
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
    expect(ends.map(({ client }) => client.link.info.shared)).toEqual(Array<boolean>(8).fill(true))
  })

  test('share a link that is still opening', async () => {
    const gate = Promise.withResolvers<void>()
    browser.openingGate = gate.promise
    const opening = [browser.openWindow().open(1), browser.openWindow().open(2)]
    await settleAll()
    gate.resolve()
    await Promise.all(opening)
    expect(openLinks()).toBe(1)
  })

  test('[A2] use another link for another token', async () => {
    await browser.openWindow().open(1, { ...target, token: 'one' })
    await browser.openWindow().open(2, { ...target, token: 'one' })
    await browser.openWindow().open(3, { ...target, token: 'another' })
    expect(openLinks()).toBe(2)
  })

  test('[T1] lose their links together when the shared one is lost, with its reason', async () => {
    const { ends } = await openPair()
    browser.links[0]!.close({ code: 'going-away', retryAfterMs: 700 })
    await settleAll()
    for (const { client } of ends)
      expect(client.received.closes).toEqual([{ code: 'going-away', retryAfterMs: 700 }])
  })

  test('[T1] stay connected when the server closes one of them', async () => {
    const [first, second] = (await openPair()).ends
    first.server.link.close({ code: 'version', detail: 'old' })
    await sendAndSettle(second.server, 9)
    expect(first.client.received.closes).toEqual([{ code: 'version', detail: 'old' }])
    expect(second.client.received).toMatchObject({ closes: [], frames: [createFrame(9)] })
  })

  test('[T1] all receive the reason if no link could be opened', async () => {
    browser = new SharingBrowser((base) => ({ ...base, open: () => Promise.reject(new Error('refused')) }))
    const windows = [browser.openWindow(), browser.openWindow()]
    for (const window of windows) await expect(window.open()).rejects.toThrow(/refused/)
  })

  test('close the link with the last window, and open another one later', async () => {
    const { windows, ends } = await openPair()
    ends[0].client.link.close({ code: 'done' })
    await settleAll()
    expect(ends[1].server.received.closes).toEqual([])
    ends[1].client.link.close({ code: 'done' })
    await settleAll()
    expect(ends[1].server.received.closes).toEqual([{ code: 'done' }])
    await windows[0].open(3)
    expect(openLinks()).toBe(2)
  })

  test('[T1] abandon an opening that no window waits for any more', async () => {
    const gate = Promise.withResolvers<void>()
    browser.openingGate = gate.promise
    const abort = new AbortController()
    const opening = browser.openWindow().transport.open(target, new RecordingSink(), abort.signal)
    await settleAll()
    abort.abort()
    await expect(opening).rejects.toMatchObject({ reason: { code: 'done' } })
    await settleAll()
    gate.resolve()
    await settleAll()
    expect(browser.server.links).toEqual([])
  })

  test('[T2] wait in send while the network takes nothing', async () => {
    let gate = Promise.withResolvers<void>()
    browser = new SharingBrowser((base) =>
      withChangedLink(base, (link) => ({ send: (bytes) => gate.promise.then(() => link.send(bytes)) })),
    )
    const { link } = await openRecordedLink({ transport: browser.openWindow().transport, target })
    gate = Promise.withResolvers()
    let wasSent = false
    void link.send(new Uint8Array(70_000)).then(() => (wasSent = true))
    await settleAll()
    expect(wasSent).toBe(false)
    gate.resolve()
    await settleAll()
    expect(wasSent).toBe(true)
  })

  test('receive the info of the link when that has changed', async () => {
    let info: LinkInfo = { transport: 'memory', protocol: 'http/1.1', up: 'batched posts' }
    browser = new SharingBrowser((base) =>
      withChangedLink(base, () => ({
        get info() {
          return { ...info }
        },
      })),
    )
    const { client, server } = await browser.openWindow().open(2)
    info = { ...info, up: 'streamed body' }
    await sendAndSettle(server, 1)
    expect(client.link.info).toEqual({ ...info, shared: true })
  })

  test('[A6] are refused over the limit of 60, with the limit named, and the others stay connected', async () => {
    const ends = []
    for (let count = 0; count < 60; count++) ends.push(await browser.openWindow().open())
    await expect(browser.openWindow().open()).rejects.toMatchObject({
      reason: { code: 'refused', detail: 'the shared connection carries 60 windows already' },
    })
    expect(openLinks()).toBe(1)
    expect(ends.flatMap(({ client }) => client.received.closes)).toEqual([])
  })
})

describe('[T7] a window', () => {
  test('[W7] that crashes is noticed by the worker, and the server alone is informed', async () => {
    const { windows, ends } = await openPair()
    windows[1].crash()
    await settleAll()
    expect(ends[1].server.received.closes).toEqual([{ code: 'lost', detail: 'its window is gone' }])
    await sendAndSettle(ends[0].client, 3)
    expect(ends[0].server.received).toMatchObject({ closes: [], frames: [createFrame(1), createFrame(3)] })
  })

  test('that opened the link and crashes or freezes disturbs no other', async () => {
    const { windows, ends } = await openPair()
    windows[0].freeze()
    await sendAndSettle(ends[1].client, 3)
    windows[0].crash()
    await sendAndSettle(ends[1].server, 4)
    expect(ends[1].server.received.frames).toEqual([createFrame(2), createFrame(3)])
    expect(ends[1].client.received).toMatchObject({ closes: [], frames: [createFrame(4)] })
    expect(openLinks()).toBe(1)
  })

  test('that was frozen receives what came meanwhile', async () => {
    const { windows, ends } = await openPair()
    windows[0].freeze()
    await sendAndSettle(ends[0].server, 5)
    await advanceTime(60_000)
    windows[0].thaw()
    await settleAll()
    expect(ends[0].client.received).toMatchObject({ closes: [], frames: [createFrame(5)] })
  })
})

describe('[T7] the worker', () => {
  test('crashes: all windows lose their links, once, come back at once, and share one link again', async () => {
    const windows = Array.from({ length: 4 }, () => browser.openWindow())
    const ends = []
    for (const window of windows) ends.push(await window.open())
    browser.worker!.crash()
    await settleAll()
    expect(ends.map(({ client }) => client.received.closes)).toEqual(
      windows.map(() => [{ code: 'handed-over' }]),
    )
    const reopened = []
    for (const window of windows) reopened.push(await window.open())
    expect(reopened.map(({ client }) => client.link.info.shared)).toEqual([true, true, true, true])
    expect(openLinks()).toBe(2)
  })

  test('crashes while a link opens: the attempt ends at once, without blame for the network', async () => {
    browser.openingGate = new Promise(() => {})
    const opening = expect(browser.openWindow().open()).rejects.toMatchObject({
      reason: { code: 'handed-over' },
    })
    await settleAll()
    browser.worker!.crash()
    await opening
  })

  test('does not answer within a second: the window opens a link of its own in the same attempt', async () => {
    browser.findOrStartWorker().freeze()
    const opening = browser.openWindow().open(7)
    await advanceTime(999)
    expect(openLinks()).toBe(0)
    await advanceTime(1)
    const { client, server } = await opening
    expect([client.link.info.shared, server.received.frames]).toEqual([undefined, [createFrame(7)]])
  })

  test('gets half a second more where the page was too busy to read its answer', async () => {
    browser.findOrStartWorker().freeze()
    const now = vi.spyOn(performance, 'now')
    now.mockReturnValue(0)
    const opening = browser.openWindow().open(7)
    await settleAll()
    now.mockReturnValue(1_300)
    await advanceTime(1_000)
    browser.worker!.thaw()
    await advanceTime(499)
    expect((await opening).client.link.info.shared).toBe(true)
    now.mockRestore()
  })

  test('answers too late: nothing stays open for it, and the next link is shared', async () => {
    browser.findOrStartWorker().freeze()
    const window = browser.openWindow()
    const opening = window.open(7)
    await advanceTime(1_000)
    const own = await opening
    browser.worker!.thaw()
    await settleAll()
    const { client } = await window.open(8)
    expect(client.link.info.shared).toBe(true)
    client.link.close({ code: 'done' })
    await sendAndSettle(own.client, 9)
    expect(own.server.received).toMatchObject({ closes: [], frames: [createFrame(7), createFrame(9)] })
    expect(browser.server.links.map(({ received }) => received.closes)).toEqual([[], [{ code: 'done' }]])
  })

  test('cannot be loaded: each window opens a link of its own at once', async () => {
    browser.isWorkerAvailable = false
    const { ends } = await openPair()
    expect(ends.map(({ client }) => client.link.info.shared)).toEqual([undefined, undefined])
    expect(openLinks()).toBe(2)
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
