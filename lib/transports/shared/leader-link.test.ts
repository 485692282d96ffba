import { expect, test } from 'vitest'
import type { LinkInfo, Transport } from '../transport.ts'
import { SharingBrowser, createFrame, target } from './fixtures/sharing-browser.ts'
import { LeaderLink } from './leader-link.ts'
import { type LeaderMessage, createPortPair } from './port.ts'
import { settle } from '../../fixtures/wait.ts'

function createFixture(browser: SharingBrowser, base = browser.createBaseTransport()) {
  const leaderLink = new LeaderLink(base, target, () => {})
  const [followerPort, leaderPort] = createPortPair()
  const received: LeaderMessage[] = []
  followerPort.listen((message) => received.push(message))
  leaderLink.addPort(leaderPort, true)
  return { leaderLink, followerPort, received }
}

test('a window that answers but is not chosen as leader opens nothing and sends nothing more', async () => {
  const browser = new SharingBrowser()
  const { followerPort, received, leaderLink } = createFixture(browser)
  followerPort.post({ type: 'ride', hub: 'the one that leads now' })
  followerPort.post({ type: 'ask' })
  await settle()
  expect([received, browser.links, leaderLink.isEmpty]).toEqual([
    [{ type: 'here', hub: leaderLink.id }],
    [],
    true,
  ])
})

test('[A6] a follower over the limit of 60 is refused with the limit named, and the others stay connected', async () => {
  const browser = new SharingBrowser()
  const { followerPort, received, leaderLink } = createFixture(browser)
  for (let follower = 0; follower < 60; follower++) {
    const [one, other] = createPortPair()
    leaderLink.addPort(other, true)
    one.post({ type: 'ride', hub: leaderLink.id })
  }
  followerPort.post({ type: 'ride', hub: leaderLink.id })
  await settle()
  expect(received.at(-1)).toEqual({
    type: 'over',
    reason: { code: 'refused', detail: 'the shared connection carries 60 windows already' },
  })
  expect([browser.links.length, leaderLink.isEmpty]).toEqual([1, false])
})

test('a follower receives the info of its link when that has changed, not with each frame', async () => {
  const browser = new SharingBrowser()
  let up: LinkInfo['up'] = 'batched posts'
  const base = browser.createBaseTransport()
  const open: Transport['open'] = async (...args) => {
    const link = await base.open(...args)
    return {
      send: (bytes) => link.send(bytes),
      close: (reason) => link.close(reason),
      get info() {
        return { ...link.info, up }
      },
    }
  }
  const { followerPort, received, leaderLink } = createFixture(browser, { ...base, open })
  followerPort.post({ type: 'ride', hub: leaderLink.id })
  await expect.poll(() => received.map(({ type }) => type)).toContain('open')
  followerPort.post({ type: 'frame', frame: createFrame(1) })
  const { link } = await browser.server.next()
  for (const byte of [1, 2]) void link.send(createFrame(byte))
  await expect.poll(() => received.map(({ type }) => type)).toEqual(['here', 'open', 'frame', 'frame'])
  up = 'streamed body'
  void link.send(createFrame(3))
  await expect.poll(() => received.slice(4).map(({ type }) => type)).toEqual(['info', 'frame'])
})
