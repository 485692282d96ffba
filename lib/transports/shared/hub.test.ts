import { expect, test } from 'vitest'
import { Browser, target } from './fixtures/browser.ts'
import { Hub } from './hub.ts'
import { type FromHub, portPair } from './port.ts'

function boarding(browser: Browser) {
  const hub = new Hub(browser.base(), target, () => {})
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
