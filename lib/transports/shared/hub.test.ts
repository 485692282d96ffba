import { expect, test } from 'vitest'
import type { LinkInfo, Transport } from '../transport.ts'
import { Browser, frame, target } from './fixtures/browser.ts'
import { Hub } from './hub.ts'
import { type FromHub, portPair } from './port.ts'

function boarding(browser: Browser, base = browser.base()) {
  const hub = new Hub(base, target, () => {})
  const [near, far] = portPair()
  const heard: FromHub[] = []
  near.listen((message) => heard.push(message))
  hub.receive(far, true)
  return { hub, near, heard }
}

test('whoever answers a call but was not chosen opens nothing and says nothing more', async () => {
  const browser = new Browser()
  const { near, heard, hub } = boarding(browser)
  near.post({ type: 'ride', hub: 'the one that leads now' })
  near.post({ type: 'ask' })
  await new Promise((resolve) => setImmediate(resolve))
  expect([heard, browser.links, hub.empty]).toEqual([[{ type: 'here', hub: hub.id }], [], true])
})

test('[A6] more than 60 riders: one more is refused with the limit named, the others ride on', async () => {
  const browser = new Browser()
  const { near, heard, hub } = boarding(browser)
  for (let rider = 0; rider < 60; rider++) {
    const [one, other] = portPair()
    hub.receive(other, true)
    one.post({ type: 'ride', hub: hub.id })
  }
  near.post({ type: 'ride', hub: hub.id })
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard.at(-1)).toEqual({
    type: 'over',
    reason: { code: 'refused', detail: 'the shared connection carries 60 windows already' },
  })
  expect([browser.links.length, hub.empty]).toEqual([1, false])
})

test('a rider is told of its link when that has changed, not with each frame', async () => {
  const browser = new Browser()
  let up: LinkInfo['up'] = 'batched posts'
  const base = browser.base()
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
  const { near, heard, hub } = boarding(browser, { ...base, open })
  near.post({ type: 'ride', hub: hub.id })
  await expect.poll(() => heard.map(({ type }) => type)).toContain('open')
  near.post({ type: 'frame', frame: frame(1) })
  const { link } = await browser.server.next()
  for (const byte of [1, 2]) void link.send(frame(byte))
  await expect.poll(() => heard.map(({ type }) => type)).toEqual(['here', 'open', 'frame', 'frame'])
  up = 'streamed body'
  void link.send(frame(3))
  await expect.poll(() => heard.slice(4).map(({ type }) => type)).toEqual(['info', 'frame'])
})
