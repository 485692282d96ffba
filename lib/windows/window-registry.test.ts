import { expect, test } from 'vitest'
import { readPresenceState } from '../protocol/presence-state.ts'
import { settle } from '../fixtures/wait.ts'
import { FakeDesk, FakeDevice } from './fixtures/fake-devices.ts'
import type { WindowRegistry } from './window-registry.ts'
import type { WindowRequest } from './window-requests.ts'
import { readWindowState } from './window-state.ts'

const titles = (registry: WindowRegistry) => registry.get().map(({ title }) => title)

/** Collects the requests that it receives from here on. */
function collectRequests(registry: WindowRegistry): WindowRequest[] {
  const received: WindowRequest[] = []
  registry.onRequest((what) => received.push(what))
  return received
}

async function twoWindows() {
  const laptop = new FakeDevice('laptop')
  const text = laptop.openWindow({ title: 'text' })
  const outline = laptop.openWindow({ title: 'outline', kind: 'outline' })
  await settle()
  return { laptop, text, outline }
}

test('[W3] windows of one browser know each other at once, and list themselves first', async () => {
  const { text, outline } = await twoWindows()
  expect(titles(text.registry)).toEqual(['text', 'outline'])
  expect(titles(outline.registry)).toEqual(['outline', 'text'])
  expect(outline.registry.get().map(({ self, sameBrowser }) => [self, sameBrowser])).toEqual([
    [true, true],
    [false, true],
  ])
})

test('[W3] what a window reports is received, and sent once', async () => {
  const { laptop, text, outline } = await twoWindows()
  let changes = 0
  text.registry.subscribe(() => changes++)
  outline.registry.updateOwn({ title: 'Outline – Budget plan' })
  outline.registry.updateOwn({ title: 'Outline – Budget plan' })
  await settle()
  expect(titles(text.registry)).toEqual(['text', 'Outline – Budget plan'])
  expect(changes).toBe(1)
  expect(laptop.browser.channels.posted).toHaveLength(4)
})

test('[W3] the list is the same object until something changes', async () => {
  const { text, outline } = await twoWindows()
  const before = text.registry.get()
  expect(text.registry.get()).toBe(before)
  outline.registry.updateOwn({ focusedAt: 1 })
  await settle()
  expect(text.registry.get()).not.toBe(before)
})

test.each(['says goodbye', 'dies without a message'])(
  '[W3] a window that %s is gone at once',
  async (how) => {
    const { text, outline } = await twoWindows()
    if (how === 'says goodbye') outline.registry.close()
    else outline.crash()
    await expect.poll(() => titles(text.registry)).toEqual(['text'])
  },
)

test('[W3] a page from the back/forward cache is a window again when it sends something', async () => {
  const { text, outline } = await twoWindows()
  outline.registry.close()
  await settle()
  expect(titles(text.registry)).toEqual(['text'])
  outline.registry.joinBrowser('someone')
  await settle()
  expect(titles(text.registry)).toEqual(['text', 'outline'])
})

test('a request reaches the window it is for, and no other', async () => {
  const { laptop, text, outline } = await twoWindows()
  const preview = laptop.openWindow()
  await settle()
  const [received, other] = [collectRequests(outline.registry), collectRequests(preview.registry)]
  text.registry.sendRequest(outline.id, { type: 'close' })
  await settle()
  expect(received).toEqual([{ type: 'close' }])
  expect(other).toEqual([])
})

test('a window may send a request to itself as to others', async () => {
  const { text } = await twoWindows()
  const received = collectRequests(text.registry)
  text.registry.sendRequest(text.id, { type: 'link', linked: false })
  expect(received).toEqual([{ type: 'link', linked: false }])
})

async function twoDevices() {
  const desk = new FakeDesk()
  const [laptop, tablet] = [new FakeDevice('laptop'), new FakeDevice('tablet')]
  const [text, preview] = [laptop.openWindow({ title: 'text' }), tablet.openWindow({ title: 'preview' })]
  const [textAwareness, previewAwareness] = [desk.join(), desk.join()]
  text.registry.joinDesk(textAwareness)
  preview.registry.joinDesk(previewAwareness)
  await settle()
  return { desk, laptop, tablet, text, preview, textAwareness, previewAwareness }
}

test('[W3] windows of other devices are known by presence, until presence says that they left', async () => {
  const { desk, text, preview, previewAwareness } = await twoDevices()
  expect(text.registry.get().map(({ title, sameBrowser }) => [title, sameBrowser])).toEqual([
    ['text', true],
    ['preview', false],
  ])
  preview.registry.updateOwn({ title: 'Preview – Budget plan' })
  expect(titles(text.registry)).toEqual(['text', 'Preview – Budget plan'])
  desk.leave(previewAwareness)
  expect(titles(text.registry)).toEqual(['text'])
})

test('[W3] a window that is known by both ways is listed once, with its latest state', async () => {
  const { desk, laptop, text } = await twoDevices()
  const outline = laptop.openWindow({ title: 'outline' })
  outline.registry.joinDesk(desk.join())
  await settle()
  expect(titles(text.registry)).toEqual(['text', 'outline', 'preview'])
  outline.registry.updateOwn({ title: 'newer' })
  // Presence has it already; the channel brings it in a later turn.
  expect(titles(text.registry)).toEqual(['text', 'newer', 'preview'])
  await settle()
  expect(titles(text.registry)).toEqual(['text', 'newer', 'preview'])
})

test('[W3] a window that is gone in this browser is gone, though presence still lists it', async () => {
  const { desk, laptop, text } = await twoDevices()
  const outline = laptop.openWindow({ title: 'outline' })
  outline.registry.joinDesk(desk.join())
  await settle()
  outline.crash()
  await expect.poll(() => titles(text.registry)).toEqual(['text', 'preview'])
})

test('[W3] a window that died in this browser before this one was opened is gone, though presence lists it', async () => {
  const { desk, laptop } = await twoDevices()
  const before = laptop.openWindow({ title: 'before' })
  before.registry.joinDesk(desk.join())
  await settle()
  before.crash()
  const after = laptop.openWindow({ title: 'after' })
  after.registry.joinDesk(desk.join())
  await expect.poll(() => titles(after.registry)).toEqual(['after', 'text', 'preview'])
})

test('[W3] a window that died is gone also for one that received presence before it knew whose browser this is', async () => {
  const { desk, laptop } = await twoDevices()
  const before = laptop.openWindow({ title: 'before' })
  before.registry.joinDesk(desk.join())
  await settle()
  before.crash()
  const after = laptop.openWindow({ title: 'after' }, { joins: false })
  after.registry.joinDesk(desk.join())
  after.registry.joinBrowser('someone')
  await expect.poll(() => titles(after.registry)).toEqual(['after', 'text', 'preview'])
})

test('[W3] a request to another device is handled once, and stands no longer than until it was received', async () => {
  const { text, preview, textAwareness } = await twoDevices()
  const received = collectRequests(preview.registry)
  text.registry.sendRequest(preview.id, { type: 'show' })
  preview.registry.updateOwn({ focusedAt: 1 })
  expect(received).toEqual([{ type: 'show' }])
  expect(textAwareness.getLocalState()?.window.asks).toEqual([])
  expect(preview.registry.get()).toHaveLength(2)
})

test('[W3] a request that nobody receives is withdrawn after a minute, or with the window it was for', async () => {
  const { desk, text, preview, textAwareness, previewAwareness } = await twoDevices()
  const pendingCount = () => textAwareness.getLocalState()?.window.asks.length
  preview.registry.close()
  previewAwareness.setLocalState({ window: preview.registry.own })
  text.registry.sendRequest(preview.id, { type: 'show' })
  expect(pendingCount()).toBe(1)
  await text.clock.pass(60_000)
  expect(pendingCount()).toBe(0)
  text.registry.sendRequest(preview.id, { type: 'show' })
  expect(pendingCount()).toBe(1)
  desk.leave(previewAwareness)
  expect(pendingCount()).toBe(0)
})

test('[W3] presence that is no window of ours is ignored', async () => {
  const { desk, text } = await twoDevices()
  for (const window of [null, 7, {}, { id: 'x' }, { ...text.registry.own, id: 'x', kind: 'no such panel' }])
    desk.join().setLocalState({ window })
  expect(titles(text.registry)).toEqual(['text', 'preview'])
})

test('[W3] leaving a desk removes its windows here, and this window there', async () => {
  const { text, preview, textAwareness } = await twoDevices()
  const leave = text.registry.joinDesk(textAwareness)
  leave()
  expect(titles(text.registry)).toEqual(['text'])
  expect(titles(preview.registry)).toEqual(['preview'])
})

test('without Web Locks only presence reports other windows', async () => {
  const { desk, preview } = await twoDevices()
  const { WindowRegistry } = await import('./window-registry.ts')
  const { n: _n, self: _self, sameBrowser: _sameBrowser, ...own } = preview.registry.own
  const registryWithoutLocks = new WindowRegistry({ ...own, id: 'lonely', title: 'lonely' }, undefined)
  registryWithoutLocks.joinBrowser('someone')
  registryWithoutLocks.joinDesk(desk.join())
  expect(titles(registryWithoutLocks)).toEqual(['lonely', 'preview', 'text'])
})

test('[W8] on other devices a window with a very long title has the beginning of it', () => {
  const desk = new FakeDesk()
  const { registry } = new FakeDevice('laptop').openWindow({ title: 'x'.repeat(5_000) })
  const awareness = desk.join()
  registry.joinDesk(awareness)
  const sent = readPresenceState(awareness.getLocalState())?.window
  expect(readWindowState(sent)?.title).toBe('x'.repeat(200))
})
