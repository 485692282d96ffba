import { expect, test } from 'vitest'
import type { LinkInfo, Transport } from '../transport.ts'
import { SharingBrowser, createFrame, target } from './fixtures/sharing-browser.ts'
import { LeaderLink } from './leader-link.ts'
import { type LeaderMessage, createPortPair } from './port.ts'

function createFixture(browser: SharingBrowser, base = browser.createBaseTransport()) {
  const hub = new LeaderLink(base, target, () => {})
  const [followerPort, leaderPort] = createPortPair()
  const received: LeaderMessage[] = []
  followerPort.listen((message) => received.push(message))
  hub.addPort(leaderPort, true)
  return { hub, followerPort, received }
}

test('whoever answers a call but was not chosen opens nothing and says nothing more', async () => {
  const browser = new SharingBrowser()
  const { followerPort, received, hub } = createFixture(browser)
  followerPort.post({ type: 'ride', hub: 'the one that leads now' })
  followerPort.post({ type: 'ask' })
  await new Promise((resolve) => setImmediate(resolve))
  expect([received, browser.links, hub.isEmpty]).toEqual([[{ type: 'here', hub: hub.id }], [], true])
})

test('[A6] more than 60 riders: one more is refused with the limit named, the others ride on', async () => {
  const browser = new SharingBrowser()
  const { followerPort, received, hub } = createFixture(browser)
  for (let rider = 0; rider < 60; rider++) {
    const [one, other] = createPortPair()
    hub.addPort(other, true)
    one.post({ type: 'ride', hub: hub.id })
  }
  followerPort.post({ type: 'ride', hub: hub.id })
  await new Promise((resolve) => setImmediate(resolve))
  expect(received.at(-1)).toEqual({
    type: 'over',
    reason: { code: 'refused', detail: 'the shared connection carries 60 windows already' },
  })
  expect([browser.links.length, hub.isEmpty]).toEqual([1, false])
})

test('a rider is told of its link when that has changed, not with each frame', async () => {
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
  const { followerPort, received, hub } = createFixture(browser, { ...base, open })
  followerPort.post({ type: 'ride', hub: hub.id })
  await expect.poll(() => received.map(({ type }) => type)).toContain('open')
  followerPort.post({ type: 'frame', frame: createFrame(1) })
  const { link } = await browser.server.next()
  for (const byte of [1, 2]) void link.send(createFrame(byte))
  await expect.poll(() => received.map(({ type }) => type)).toEqual(['here', 'open', 'frame', 'frame'])
  up = 'streamed body'
  void link.send(createFrame(3))
  await expect.poll(() => received.slice(4).map(({ type }) => type)).toEqual(['info', 'frame'])
})
