import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Net } from '../net/net.ts'
import { type End, openLink } from '../recorder.ts'
import type { Link, LinkInfo, Target, Transport } from '../transport.ts'
import { Browser, type BrowserWindow, frame, target } from './fixtures/browser.ts'
import { isToBeShared } from './shared.ts'

let browser: Browser

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  browser = new Browser()
})
afterEach(() => vi.useRealTimers())

/** Everything that does not wait for a timer. */
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

const passing = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

async function says({ link }: End, ...bytes: number[]): Promise<void> {
  void link.send(frame(...bytes))
  await settled()
}

const openLinks = (): number => browser.links.length

/** The same, its links with something else in place. */
const altered = (base: Transport, change: (link: Link) => Partial<Link>): Transport => ({
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

/** The window that leads, and one that follows. */
async function pair() {
  const [leader, follower] = [browser.window(), browser.window()]
  return { leader, follower, led: await leader.open(1), follows: await follower.open(2) }
}

describe('[T7] windows of one browser', () => {
  test('have one link between them, and each hears what is said to it', async () => {
    const windows = Array.from({ length: 8 }, () => browser.window())
    const ends = []
    for (const [word, window] of windows.entries()) ends.push(await window.open(word))
    expect(openLinks()).toBe(1)
    for (const [word, { here, there }] of ends.entries()) {
      await says(there, 100 + word)
      expect([there.heard.frames, here.heard.frames]).toEqual([[frame(word)], [frame(100 + word)]])
    }
    expect(ends.map(({ here }) => here.link.info.sharedBy)).toEqual([
      'this window',
      ...Array<string>(7).fill('another window'),
    ])
  })

  test('[A2] come with another token by another link', async () => {
    await browser.window().open(1, { ...target, token: 'one' })
    await browser.window().open(2, { ...target, token: 'one' })
    await browser.window().open(3, { ...target, token: 'another' })
    expect(openLinks()).toBe(2)
  })

  test('[T1] lose their links together when the one that carries them is lost, and know why', async () => {
    const { led, follows } = await pair()
    browser.links[0]!.close({ code: 'going-away', retryAfterMs: 700 })
    await settled()
    for (const { here } of [led, follows])
      expect(here.heard.closes).toEqual([{ code: 'going-away', retryAfterMs: 700 }])
  })

  test('[T1] one that the server sends away takes nobody along', async () => {
    const { led, follows } = await pair()
    led.there.link.close({ code: 'version', detail: 'old' })
    await says(follows.there, 9)
    expect(led.here.heard.closes).toEqual([{ code: 'version', detail: 'old' }])
    expect(follows.here.heard).toMatchObject({ closes: [], frames: [frame(9)] })
  })

  test('[T1] all hear why none could be opened', async () => {
    const refusing: Transport = {
      ...browser.base(),
      open: () => Promise.reject(new Error('no door')),
    }
    const windows = [browser.window(refusing), browser.window(refusing)]
    for (const window of windows) await expect(window.open()).rejects.toThrow(/no door/)
  })

  test('the link ends with its last rider', async () => {
    const { led, follows } = await pair()
    led.here.link.close({ code: 'done' })
    await settled()
    expect(follows.there.heard.closes).toEqual([])
    follows.here.link.close({ code: 'done' })
    await settled()
    expect(follows.there.heard.closes).toEqual([{ code: 'done' }])
  })

  test('[T2] send waits while the network takes nothing, in a window that follows as well', async () => {
    let door = Promise.withResolvers<void>()
    const slow = altered(browser.base(), (link) => ({
      send: (bytes) => door.promise.then(() => link.send(bytes)),
    }))
    const large = new Uint8Array(70_000)
    for (const window of [browser.window(slow), browser.window(slow)]) {
      const { link } = await openLink({ transport: window.transport, target })
      door = Promise.withResolvers()
      let went = false
      void link.send(large).then(() => (went = true))
      await settled()
      expect(went).toBe(false)
      door.resolve()
      await settled()
      expect(went).toBe(true)
    }
  })

  test('hear of a link that changed', async () => {
    let info: LinkInfo = { transport: 'memory', protocol: 'http/1.1', up: 'batched posts' }
    const changing = altered(browser.base(), () => ({
      get info() {
        return info
      },
    }))
    await browser.window(changing).open(1)
    const { here, there } = await browser.window(changing).open(2)
    info = { ...info, up: 'streamed body' }
    await says(there, 1)
    expect(here.link.info).toEqual({ ...info, sharedBy: 'another window' })
  })
})

describe('[T7] the window that leads', () => {
  test('carries the others on when it needs no link itself', async () => {
    const { led, follows } = await pair()
    led.here.link.close({ code: 'drained' })
    await passing(60_000)
    await says(follows.here, 7)
    expect(follows.there.heard.frames).toEqual([frame(2), frame(7)])
    expect(follows.here.heard.closes).toEqual([])
  })

  test('leads no more when nobody has ridden for a while', async () => {
    const { leader, led, follows } = await pair()
    for (const { here } of [led, follows]) here.link.close({ code: 'done' })
    await passing(20_000)
    expect([browser.channels.size, browser.locks.isHeld('diptych:link:memory:http://localhost')]).toEqual([
      0,
      false,
    ])
    expect((await leader.open(3)).here.link.info.sharedBy).toBe('this window')
  })

  test.each([
    ['crashes', (window: BrowserWindow) => window.crash()],
    ['leaves', (window: BrowserWindow) => window.leave()],
  ])('%s: the others lose their links, once, and the next of them leads', async (_how, go) => {
    const windows = Array.from({ length: 4 }, () => browser.window())
    const ends = []
    for (const window of windows) ends.push(await window.open())
    go(windows[0]!)
    await settled()
    const others = windows.slice(1)
    expect(ends.slice(1).map(({ here }) => here.heard.closes)).toEqual(
      others.map(() => [{ code: 'handed-over' }]),
    )
    const again = []
    for (const window of others) again.push(await window.open())
    expect(again.map(({ here }) => here.link.info.sharedBy)).toEqual([
      'this window',
      'another window',
      'another window',
    ])
    expect(openLinks()).toBe(2)
  })

  test('crashes before its link is open: who waited for it goes with the next, in the same attempt', async () => {
    const opening = Promise.withResolvers<void>()
    browser.opening = opening.promise
    const leader = browser.window()
    void leader.open(1)
    const waiting = [browser.window().open(2), browser.window().open(3)]
    await settled()
    leader.crash()
    browser.opening = Promise.resolve()
    const ends = await Promise.all(waiting)
    expect(ends.map(({ here }) => here.link.info.sharedBy)).toEqual(['this window', 'another window'])
  })

  test('alone and about to freeze, keeps its link', async () => {
    const window = browser.window()
    const { here, there } = await window.open()
    window.leave()
    await says(there, 5)
    expect(here.heard).toMatchObject({ closes: [], frames: [frame(5)] })
  })

  test('[W7] notices that a rider crashed, and tells the server alone of it', async () => {
    const { follower, led, follows } = await pair()
    follower.crash()
    await settled()
    expect(follows.there.heard.closes).toEqual([{ code: 'lost', detail: 'its window is gone' }])
    await says(led.here, 3)
    expect(led.there.heard).toMatchObject({ closes: [], frames: [frame(1), frame(3)] })
  })
})

describe('[T7] a window that leads and is frozen', () => {
  test('is found out by what it leaves unanswered, and loses the office to the window that asked', async () => {
    const { leader, follower, follows } = await pair()
    leader.freeze()
    await says(follows.here, 4)
    await passing(1_999)
    expect(follows.here.heard.closes).toEqual([])
    await passing(1)
    expect(follows.here.heard.closes).toEqual([
      { code: 'handed-over', detail: 'the one that had it did not answer' },
    ])
    expect((await follower.open(5)).here.link.info.sharedBy).toBe('this window')
  })

  test('thaws: its own links end, the link that carried the others is closed, and it follows', async () => {
    const { leader, follower, led, follows } = await pair()
    leader.freeze()
    await says(follows.here, 4)
    await passing(2_000)
    await follower.open(5)
    leader.thaw()
    await settled()
    expect(led.here.heard.closes).toEqual([
      { code: 'handed-over', detail: 'the one that had it did not answer' },
    ])
    expect([led.there.heard.closes.length, follows.there.heard.closes.length]).toEqual([1, 1])
    expect((await leader.open(6)).here.link.info.sharedBy).toBe('another window')
    expect(openLinks()).toBe(2)
  })

  test('answers who called it while it was frozen: too late to be listened to', async () => {
    const { leader, follower, follows } = await pair()
    leader.freeze()
    await says(follows.here, 4)
    await passing(2_000)
    await follower.open(5)
    const third = browser.window()
    const opening = third.open(6)
    leader.thaw()
    const { here, there } = await opening
    await says(here, 7)
    expect([here.heard.closes, there.heard.frames]).toEqual([[], [frame(6), frame(7)]])
  })

  test('is found out by a window that opens', async () => {
    const { leader, follower } = await pair()
    leader.freeze()
    follower.hide()
    const opening = browser.window().open(3)
    await passing(1_000)
    expect((await opening).here.link.info.sharedBy).toBe('this window')
  })

  test('is not judged by hidden windows, but by the next that comes into view', async () => {
    const { leader, follower, follows } = await pair()
    leader.freeze()
    follower.hide()
    await says(follows.here, 4)
    await passing(60_000)
    expect(follows.here.heard.closes).toEqual([])
    follower.show()
    await passing(1_000)
    expect(follows.here.heard.closes).toHaveLength(1)
  })

  test('is not waited for by a hidden window that opens: that is no fault of the network', async () => {
    const { leader, follower } = await pair()
    leader.freeze()
    follower.hide()
    const hidden = browser.window()
    hidden.hide()
    const opening = expect(hidden.open(3)).rejects.toMatchObject({
      reason: { code: 'handed-over', detail: 'the one that has it does not answer' },
    })
    await passing(1_000)
    await opening
  })

  test('is relieved once, however many links of a window noticed', async () => {
    const { leader, follower, follows } = await pair()
    const second = await follower.open(3)
    leader.freeze()
    await says(follows.here, 4)
    await says(second.here, 5)
    await passing(2_000)
    const again = [await follower.open(6), await follower.open(7)]
    await passing(10_000)
    expect(again.map(({ here }) => here.heard.closes)).toEqual([[], []])
  })

  test('keeps the office where it answers in time', async () => {
    const { leader, follows } = await pair()
    leader.freeze()
    await says(follows.here, 4)
    await passing(1_500)
    leader.thaw()
    await passing(5_000)
    expect(follows.here.heard.closes).toEqual([])
    expect(follows.there.heard.frames).toEqual([frame(2), frame(4)])
  })
})

const via = (protocol: string): Net => ({ protocolOf: () => protocol }) as unknown as Net

test.each([
  ['http://localhost', '', undefined, true],
  ['http://localhost', 'http/1.1', 'automatic', true],
  ['https://localhost', 'http/1.1', 'automatic', true],
  ['https://localhost', 'h2', 'automatic', false],
  ['https://localhost', '', 'automatic', false],
  ['https://localhost', 'h2', 'always', true],
  ['http://localhost', 'http/1.1', 'never', false],
] as const)('%s over %j, set to %s: shared %s', (origin, protocol, sharing, expected) => {
  const to: Target = { origin, net: via(protocol), ...(sharing && { sharing }) }
  expect(isToBeShared(to)).toBe(expected)
})
