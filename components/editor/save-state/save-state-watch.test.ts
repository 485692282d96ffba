import { expect, test } from 'vitest'
import { ManualClock } from '@/lib/session/fixtures/manual-clock.ts'
import type { LinkStatus, SyncStatus } from '@/lib/sync/status.ts'
import { saveStateText } from './save-state.ts'
import { SaveStateWatch } from './save-state-watch.ts'

const up: LinkStatus = { state: 'up', info: { transport: 'websocket', protocol: 'h2', up: 'frames' } }
const retrying: LinkStatus = { state: 'retrying', reason: { code: 'lost' } }

const status = (link: LinkStatus, unsaved: number, unstored = unsaved): SyncStatus => ({
  link,
  document: { state: 'synced', role: 'editor' },
  unsaved,
  unstored,
  choice: 'automatic',
  offered: [],
  evidence: [],
})

class SettableValue<Value> {
  readonly #listeners = new Set<() => void>()
  #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  get = (): Value => this.#value

  get listeners(): number {
    return this.#listeners.size
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  set(value: Value): void {
    this.#value = value
    for (const listener of this.#listeners) listener()
  }
}

function watchFixture(first: SyncStatus, otherDocuments: readonly SyncStatus[] = []) {
  const [clock, own, otherStatuses] = [
    new ManualClock(),
    new SettableValue(first),
    new SettableValue(otherDocuments),
  ]
  const watch = new SaveStateWatch(own, otherStatuses, clock)
  let notificationCount = 0
  const stop = watch.subscribe(() => void (notificationCount += 1))
  return {
    clock,
    own,
    otherStatuses,
    watch,
    stop,
    text: () => saveStateText(watch.get()),
    notificationCount: () => notificationCount,
  }
}

test('a worse state is shown at once, "Saved" once it has lasted', async () => {
  const { clock, own, text } = watchFixture(status(up, 0))
  own.set(status(up, 1))
  expect(text()).toBe('Sending 1 change')
  own.set(status(up, 0))
  await clock.pass(399)
  expect(text()).toBe('Sending 1 change')
  own.set(status(up, 1))
  own.set(status(up, 0))
  await clock.pass(399)
  expect(text()).toBe('Sending 1 change')
  await clock.pass(1)
  expect(text()).toBe('Saved')
})

test('the number of changes that are being sent does not change with each key', async () => {
  const { clock, own, text, notificationCount } = watchFixture(status(up, 0))
  own.set(status(up, 1))
  const before = notificationCount()
  for (let key = 0; key < 19; key++) {
    await clock.pass(50)
    own.set(status(up, 2 + (key % 3)))
  }
  expect([text(), notificationCount()]).toEqual(['Sending 1 change', before])
  await clock.pass(50)
  expect([text(), notificationCount()]).toEqual(['Sending 2 changes', before + 1])
})

test.each<[string, SyncStatus, string]>([
  ['on this device', status(retrying, 15, 0), 'Saved on this device'],
  ['in this window', status(retrying, 15, 1), '15 changes not sent'],
])('nothing is shown as being sent once the link is lost: %s', (_where, disconnected, expectedText) => {
  const { own, text } = watchFixture(status(up, 15, 0))
  expect(text()).toBe('Sending 15 changes')
  own.set(disconnected)
  expect(text()).toBe(expectedText)
})

test('without a link, edits not yet on this device do not make the state flicker between two key presses', async () => {
  const { clock, own, watch, text } = watchFixture(status(retrying, 0))
  watch.setDisconnected(true)
  own.set(status(retrying, 1, 1))
  own.set(status(retrying, 1, 0))
  expect(text()).toBe('Not saved')
  await clock.pass(400)
  expect(text()).toBe('Saved on this device')
})

/** Edits of the last frame are on their way to this device. */
const writing = (link: LinkStatus, unsaved: number, unstored: number): SyncStatus => ({
  ...status(link, unsaved, unstored),
  isDeviceWritable: true,
})

test('[D6] whoever types on without a link reads "Saved on this device" while each letter is written within a moment', async () => {
  const { clock, own, watch, text } = watchFixture(writing(retrying, 0, 0))
  watch.setDisconnected(true)
  const shown = new Set<string>()
  for (let letters = 1; letters <= 50; letters++) {
    own.set(writing(retrying, letters, 1))
    shown.add(text())
    await clock.pass(20)
    own.set(writing(retrying, letters, 0))
    await clock.pass(60)
    shown.add(text())
  }
  expect([...shown]).toEqual(['Saved on this device'])
})

test('[D6] letters that the device takes too long to write are not saved, however many others it wrote before', async () => {
  const { clock, own, watch, text } = watchFixture(writing(retrying, 0, 0))
  watch.setDisconnected(true)
  own.set(writing(retrying, 1, 1))
  await clock.pass(200)
  own.set(writing(retrying, 2, 2))
  await clock.pass(49)
  expect(text()).toBe('Saved on this device')
  await clock.pass(1)
  expect(text()).toBe('Not saved')
  own.set(writing(retrying, 2, 1))
  await clock.pass(250)
  expect(text()).toBe('Not saved')
})

test('[D6] a slow device that never has all letters is not behind, one that falls behind is', async () => {
  const { clock, own, watch, text } = watchFixture(writing(retrying, 0, 0))
  watch.setDisconnected(true)
  let letters = 0
  const typeFor = async (ms: number, unstored: (letter: number) => number) => {
    for (const end = letters + ms / 25; letters < end;) {
      letters += 1
      own.set(writing(retrying, letters, unstored(letters)))
      await clock.pass(25)
    }
  }
  // Each write takes 100 ms, and has the four letters typed during the one before.
  await typeFor(2_000, (letter) => 1 + ((letter - 1) % 4))
  expect(text()).toBe('Saved on this device')
  await typeFor(1_000, (letter) => letter - 80)
  expect(text()).toBe('Not saved')
})

test('[D6] a page that stood still does not blame the device for its own pause', async () => {
  const { clock, own, watch, text } = watchFixture(writing(retrying, 0, 0))
  watch.setDisconnected(true)
  own.set(writing(retrying, 1, 1))
  await clock.pass(40)
  // The device has written it meanwhile, and its event waits behind the timer.
  await clock.sleep(3_000)
  expect(text()).toBe('Saved on this device')
  own.set(writing(retrying, 2, 1))
  await clock.sleep(3_000)
  expect(text()).toBe('Saved on this device')
  // Three turns are left of the first wait, and the second edit has five.
  await clock.pass(399)
  expect(text()).toBe('Saved on this device')
  await clock.pass(1)
  expect(text()).toBe('Not saved')
})

test('[D6] what the server saved before the link was lost does not count as missing on the device', async () => {
  const { clock, own, watch, text } = watchFixture(writing(up, 5, 1))
  await clock.pass(200)
  own.set(writing(up, 1, 1))
  own.set(writing(retrying, 1, 1))
  watch.setDisconnected(true)
  // A turn had begun, and five follow it.
  await clock.pass(299)
  expect(text()).toBe('Saved on this device')
  await clock.pass(1)
  expect(text()).toBe('Not saved')
})

test('[D6] where the last write failed, nothing typed counts as being on this device', () => {
  const { own, watch, text } = watchFixture(writing(retrying, 3, 0))
  watch.setDisconnected(true)
  own.set(writing(retrying, 4, 1))
  expect(text()).toBe('Saved on this device')
  own.set(status(retrying, 4, 1))
  expect(text()).toBe('Not saved')
})

test('after long without any acknowledgement the state is "Not saved"; the first one restarts the count', async () => {
  const { clock, own, text } = watchFixture(status(up, 2))
  await clock.pass(9_999)
  own.set(status(up, 3))
  expect(text()).toBe('Sending 3 changes')
  await clock.pass(1)
  expect(text()).toBe('Not saved')
  own.set(status(up, 1))
  expect(text()).toBe('Sending 1 change')
  await clock.pass(9_999)
  expect(text()).toBe('Sending 1 change')
  await clock.pass(1)
  expect(text()).toBe('Not saved')
})

test('the least safe of several documents decides the state', () => {
  const { otherStatuses, text } = watchFixture(status(up, 0))
  otherStatuses.set([status(up, 2)])
  expect(text()).toBe('Sending 2 changes')
})

test('acknowledgements that come within a second notify the listeners once and trigger nothing else', () => {
  const { own, notificationCount } = watchFixture(status(up, 200))
  for (let unsaved = 199; unsaved > 0; unsaved--) own.set(status(up, unsaved))
  expect(notificationCount()).toBe(1)
})

test('the watch leaves no timer or listener behind after the last listener unsubscribes', () => {
  const { clock, own, otherStatuses, stop } = watchFixture(status(up, 2))
  stop()
  expect([clock.timers, own.listeners, otherStatuses.listeners]).toEqual([0, 0, 0])
  const next = watchFixture(status(up, 1))
  next.own.set(status(up, 0))
  expect(next.text()).toBe('Sending 1 change')
  next.stop()
  next.watch.subscribe(() => {})
  expect(next.text()).toBe('Saved')
})
