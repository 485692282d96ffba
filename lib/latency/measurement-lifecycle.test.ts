import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { MeasurementLifecycle } from './measurement-lifecycle.ts'

function createLifecycle() {
  const clock = new ManualClock()
  const log: string[] = []
  let ticks = 0
  const note = (what: string) => () => void log.push(what)
  const lifecycle = new MeasurementLifecycle(clock, {
    onStart: note('awake'),
    onStop: note('asleep'),
    announceObserver: (scope) => void log.push(`look at ${scope}`),
    onTick: () => void (ticks += 1),
  })
  return { clock, log, lifecycle, ticks: () => ticks }
}

test('[L1] an observer is announced at once and every 5 s, and nothing runs before or after', async () => {
  const { clock, log, lifecycle } = createLifecycle()
  expect(clock.timers).toBe(0)
  const [end, endToo] = [lifecycle.observe('window'), lifecycle.observe('window')]
  await clock.pass(11_000)
  end()
  end()
  await clock.pass(5_000)
  expect(lifecycle.scope).toBe('window')
  endToo()
  expect(log).toEqual(['awake', ...Array<string>(4).fill('look at window'), 'asleep'])
  expect([lifecycle.scope, clock.timers]).toEqual([null, 0])
})

test('[L1] an observer elsewhere counts for 15 s; only one of the same person asks for stamps', async () => {
  const { clock, log, lifecycle } = createLifecycle()
  lifecycle.receiveObserver(7, { own: false, scope: 'person' })
  expect([lifecycle.isMeasuring, lifecycle.shouldStamp]).toEqual([true, false])
  await clock.pass(10_000)
  lifecycle.receiveObserver(8, { own: true, scope: 'window' })
  expect([lifecycle.shouldStamp, lifecycle.ownObservers]).toEqual([true, [8]])
  await clock.pass(14_000)
  expect(lifecycle.isMeasuring).toBe(true)
  await clock.pass(2_000)
  expect([lifecycle.isMeasuring, lifecycle.shouldStamp, clock.timers]).toEqual([false, false, 0])
  expect(log).toEqual(['awake', 'asleep'])
})

test('[L1] summaries are sent to own windows that compare, and to no others', () => {
  const { log, lifecycle } = createLifecycle()
  lifecycle.receiveObserver(7, { own: false, scope: 'person' })
  lifecycle.receiveObserver(8, { own: true, scope: 'window' })
  expect(lifecycle.comparingObservers).toEqual([])
  lifecycle.receiveObserver(8, { own: true, scope: 'person' })
  expect(lifecycle.comparingObservers).toEqual([8])
  const ends = [lifecycle.observe('window'), lifecycle.observe('person'), lifecycle.observe('window')]
  expect(lifecycle.scope).toBe('person')
  ends[1]!()
  expect(lifecycle.scope).toBe('window')
  expect(log).toEqual(['awake', 'look at window', 'look at person'])
  lifecycle.stop()
})

test('[A6] the number of observers is limited', () => {
  const { lifecycle } = createLifecycle()
  for (let client = 1; client <= 1_000; client++)
    lifecycle.receiveObserver(client, { own: true, scope: 'window' })
  expect(lifecycle.ownObservers.length).toBe(100)
  lifecycle.stop()
})

test('[A6] an observer that is known is renewed, however many there are', async () => {
  const { clock, lifecycle } = createLifecycle()
  for (let client = 1; client <= 100; client++)
    lifecycle.receiveObserver(client, { own: true, scope: 'person' })
  await clock.pass(10_000)
  lifecycle.receiveObserver(1, { own: true, scope: 'person' })
  await clock.pass(6_000)
  expect(lifecycle.ownObservers).toEqual([1])
  lifecycle.stop()
})

test('an observer counts for 15 s and not a tick more', async () => {
  const { clock, lifecycle } = createLifecycle()
  lifecycle.receiveObserver(7, { own: true, scope: 'person' })
  await clock.pass(15_000)
  expect(lifecycle.isMeasuring).toBe(false)
})

test('while somebody looks there is a tick a second, and own edits are stamped', async () => {
  const { clock, lifecycle, ticks } = createLifecycle()
  const end = lifecycle.observe('person')
  expect(lifecycle.shouldStamp).toBe(true)
  await clock.pass(3_000)
  expect(ticks()).toBe(3)
  end()
  await clock.pass(3_000)
  expect(ticks()).toBe(3)
})

test('after a stop nobody looks any more, here or elsewhere', () => {
  const { clock, log, lifecycle } = createLifecycle()
  lifecycle.observe('person')
  lifecycle.receiveObserver(7, { own: true, scope: 'person' })
  lifecycle.stop()
  expect([lifecycle.scope, lifecycle.shouldStamp, lifecycle.isMeasuring, clock.timers]).toEqual([
    null,
    false,
    false,
    0,
  ])
  expect(log.at(-1)).toBe('asleep')
})
