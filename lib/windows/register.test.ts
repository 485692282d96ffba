import { expect, test } from 'vitest'
import { readPresenceState } from '../protocol/presence-state.ts'
import { settle } from '../session/fixtures/manual-clock.ts'
import { Desk, FakeDevice } from './fixtures/devices.ts'
import type { Register } from './register.ts'
import type { Request } from './requests.ts'
import { readWindowState } from './window-state.ts'

const titles = (register: Register) => register.get().map(({ title }) => title)

/** What it is asked from here on. */
function requests(register: Register): Request[] {
  const heard: Request[] = []
  register.onAsked((what) => heard.push(what))
  return heard
}

async function twoWindows() {
  const laptop = new FakeDevice('laptop')
  const text = laptop.open({ title: 'text' })
  const outline = laptop.open({ title: 'outline', kind: 'outline' })
  await settle()
  return { laptop, text, outline }
}

test('[W3] windows of one browser know each other at once, the own one first', async () => {
  const { text, outline } = await twoWindows()
  expect(titles(text.register)).toEqual(['text', 'outline'])
  expect(titles(outline.register)).toEqual(['outline', 'text'])
  expect(outline.register.get().map(({ self, here }) => [self, here])).toEqual([
    [true, true],
    [false, true],
  ])
})

test('[W3] what a window tells is heard, and told once', async () => {
  const { laptop, text, outline } = await twoWindows()
  let changes = 0
  text.register.subscribe(() => changes++)
  outline.register.tell({ title: 'Outline – Budget plan' })
  outline.register.tell({ title: 'Outline – Budget plan' })
  await settle()
  expect(titles(text.register)).toEqual(['text', 'Outline – Budget plan'])
  expect(changes).toBe(1)
  expect(laptop.browser.channels.posted).toHaveLength(4)
})

test('[W3] the list is the same object until something changes', async () => {
  const { text, outline } = await twoWindows()
  const before = text.register.get()
  expect(text.register.get()).toBe(before)
  outline.register.tell({ focusedAt: 1 })
  await settle()
  expect(text.register.get()).not.toBe(before)
})

test.each(['says goodbye', 'dies without a word'])('[W3] a window that %s is gone at once', async (how) => {
  const { text, outline } = await twoWindows()
  if (how === 'says goodbye') outline.register.close()
  else outline.die()
  await expect.poll(() => titles(text.register)).toEqual(['text'])
})

test('[W3] a page that the browser kept for the way back is a window again when it speaks', async () => {
  const { text, outline } = await twoWindows()
  outline.register.close()
  await settle()
  expect(titles(text.register)).toEqual(['text'])
  outline.register.join('someone')
  await settle()
  expect(titles(text.register)).toEqual(['text', 'outline'])
})

test('a request reaches the window it is for, and no other', async () => {
  const { laptop, text, outline } = await twoWindows()
  const preview = laptop.open()
  await settle()
  const [heard, other] = [requests(outline.register), requests(preview.register)]
  text.register.ask(outline.id, { type: 'close' })
  await settle()
  expect(heard).toEqual([{ type: 'close' }])
  expect(other).toEqual([])
})

test('a window may ask itself as it asks others', async () => {
  const { text } = await twoWindows()
  const heard = requests(text.register)
  text.register.ask(text.id, { type: 'link', linked: false })
  expect(heard).toEqual([{ type: 'link', linked: false }])
})

async function twoDevices() {
  const desk = new Desk()
  const [laptop, tablet] = [new FakeDevice('laptop'), new FakeDevice('tablet')]
  const [text, preview] = [laptop.open({ title: 'text' }), tablet.open({ title: 'preview' })]
  const [textSeat, previewSeat] = [desk.sit(), desk.sit()]
  text.register.meet(textSeat)
  preview.register.meet(previewSeat)
  await settle()
  return { desk, laptop, tablet, text, preview, textSeat, previewSeat }
}

test('[W3] windows of other devices are known by presence, until it says that they left', async () => {
  const { desk, text, preview, previewSeat } = await twoDevices()
  expect(text.register.get().map(({ title, here }) => [title, here])).toEqual([
    ['text', true],
    ['preview', false],
  ])
  preview.register.tell({ title: 'Preview – Budget plan' })
  expect(titles(text.register)).toEqual(['text', 'Preview – Budget plan'])
  desk.leave(previewSeat)
  expect(titles(text.register)).toEqual(['text'])
})

test('[W3] a window that is known both ways is listed once, as it was told last', async () => {
  const { desk, laptop, text } = await twoDevices()
  const outline = laptop.open({ title: 'outline' })
  outline.register.meet(desk.sit())
  await settle()
  expect(titles(text.register)).toEqual(['text', 'outline', 'preview'])
  outline.register.tell({ title: 'newer' })
  // By presence already, by the channel in a later turn.
  expect(titles(text.register)).toEqual(['text', 'newer', 'preview'])
  await settle()
  expect(titles(text.register)).toEqual(['text', 'newer', 'preview'])
})

test('[W3] who is gone here is gone, though presence lists them still', async () => {
  const { desk, laptop, text } = await twoDevices()
  const outline = laptop.open({ title: 'outline' })
  outline.register.meet(desk.sit())
  await settle()
  outline.die()
  await expect.poll(() => titles(text.register)).toEqual(['text', 'preview'])
})

test('[W3] presence of a window that died in this browser before this one was opened', async () => {
  const { desk, laptop } = await twoDevices()
  const before = laptop.open({ title: 'before' })
  before.register.meet(desk.sit())
  await settle()
  before.die()
  const after = laptop.open({ title: 'after' })
  after.register.meet(desk.sit())
  await expect.poll(() => titles(after.register)).toEqual(['after', 'text', 'preview'])
})

test('[W3] nor is it one for a window that heard of presence before it knew whose browser this is', async () => {
  const { desk, laptop } = await twoDevices()
  const before = laptop.open({ title: 'before' })
  before.register.meet(desk.sit())
  await settle()
  before.die()
  const after = laptop.open({ title: 'after' }, { joins: false })
  after.register.meet(desk.sit())
  after.register.join('someone')
  await expect.poll(() => titles(after.register)).toEqual(['after', 'text', 'preview'])
})

test('[W3] a request to another device is done once, and stands no longer than until it was heard', async () => {
  const { text, preview, textSeat } = await twoDevices()
  const heard = requests(preview.register)
  text.register.ask(preview.id, { type: 'show' })
  preview.register.tell({ focusedAt: 1 })
  expect(heard).toEqual([{ type: 'show' }])
  expect(textSeat.getLocalState()?.window.asks).toEqual([])
  expect(preview.register.get()).toHaveLength(2)
})

test('[W3] a request that nobody hears is taken back after a minute, and with the window it was for', async () => {
  const { desk, text, preview, textSeat, previewSeat } = await twoDevices()
  const asks = () => textSeat.getLocalState()?.window.asks.length
  preview.register.close()
  previewSeat.setLocalState({ window: preview.register.own })
  text.register.ask(preview.id, { type: 'show' })
  expect(asks()).toBe(1)
  await text.clock.pass(60_000)
  expect(asks()).toBe(0)
  text.register.ask(preview.id, { type: 'show' })
  expect(asks()).toBe(1)
  desk.leave(previewSeat)
  expect(asks()).toBe(0)
})

test('[W3] presence that is no window of ours is passed over', async () => {
  const { desk, text } = await twoDevices()
  for (const window of [null, 7, {}, { id: 'x' }, { ...text.register.own, id: 'x', kind: 'no such panel' }])
    desk.sit().setLocalState({ window })
  expect(titles(text.register)).toEqual(['text', 'preview'])
})

test('[W3] a desk that is left takes its windows along, and this window out of it', async () => {
  const { text, preview, textSeat } = await twoDevices()
  const leave = text.register.meet(textSeat)
  leave()
  expect(titles(text.register)).toEqual(['text'])
  expect(titles(preview.register)).toEqual(['preview'])
})

test('without Web Locks presence alone tells of other windows', async () => {
  const { desk, preview } = await twoDevices()
  const { Register } = await import('./register.ts')
  const { n: _n, self: _self, here: _here, ...own } = preview.register.own
  const lonely = new Register({ ...own, id: 'lonely', title: 'lonely' }, undefined)
  lonely.join('someone')
  lonely.meet(desk.sit())
  expect(titles(lonely)).toEqual(['lonely', 'preview', 'text'])
})

test('[W8] a window whose title is of any length is called by the beginning of it on other devices', () => {
  const desk = new Desk()
  const { register } = new FakeDevice('laptop').open({ title: 'x'.repeat(5_000) })
  const awareness = desk.sit()
  register.meet(awareness)
  const told = readPresenceState(awareness.getLocalState())?.window
  expect(readWindowState(told)?.title).toBe('x'.repeat(200))
})
