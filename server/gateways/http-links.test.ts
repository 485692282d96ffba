import { describe, expect, test } from 'vitest'
import { settle } from '../../lib/fixtures/wait.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import type { Access } from '../access/access.ts'
import { type HttpLink, HttpLinks } from './http-links.ts'

const LONG_MS = 60_000

const streamedLink: HttpLink = {
  credential: '',
  closed: false,
  receive: () => {},
  onEnded: () => {},
  fail: () => {},
  setStreamedBody: () => {},
}
const polledLink: HttpLink = { ...streamedLink, answerPoll: () => {} }

describe('at the end of a server, HTTP links', () => {
  const createLinks = () => new HttpLinks({ access: {} as Access })
  const addAll = (links: HttpLinks, count: number, link = polledLink): LinkKey[] =>
    Array.from({ length: count }, () => links.add(link))

  /** Tells after each turn whether the wait is over. */
  function waitFor(links: HttpLinks, limitMs = LONG_MS) {
    let isOver = false
    const waiting = links.waitForLastPolls(limitMs).then(() => (isOver = true))
    return { waiting, isOver: () => settle().then(() => isOver) }
  }

  test('that are polled are waited for, and no others', async () => {
    const links = createLinks()
    const [streamed] = addAll(links, 2, streamedLink)
    await links.waitForLastPolls(LONG_MS)
    const keys = addAll(links, 2)
    const { isOver } = waitFor(links)
    links.forget(keys[0]!)
    links.forget(keys[0]!)
    links.forget(streamed!)
    expect(await isOver()).toBe(false)
    links.forget(keys[1]!)
    expect(await isOver()).toBe(true)
  })

  test('that open and end meanwhile do not end the wait for those before them', async () => {
    const links = createLinks()
    const [first] = addAll(links, 1)
    const { isOver } = waitFor(links)
    for (const key of addAll(links, 3)) links.forget(key)
    expect(await isOver()).toBe(false)
    links.forget(first!)
    expect(await isOver()).toBe(true)
  })

  test('are waited for no longer than the limit', async () => {
    const links = createLinks()
    addAll(links, 1)
    await links.waitForLastPolls(1)
  })
})
