import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { Attention } from './attention.ts'

function watched() {
  const clock = new ManualClock()
  const log: string[] = []
  let ticks = 0
  const note = (what: string) => () => void log.push(what)
  const attention = new Attention(clock, {
    onAwake: note('awake'),
    onAsleep: note('asleep'),
    say: (scope) => void log.push(`look at ${scope}`),
    tick: () => void (ticks += 1),
  })
  return { clock, log, attention, ticks: () => ticks }
}

test('[L1] who looks says so at once and every 5 s, and nothing runs before or after', async () => {
  const { clock, log, attention } = watched()
  expect(clock.timers).toBe(0)
  const [end, endToo] = [attention.look('window'), attention.look('window')]
  await clock.pass(11_000)
  end()
  end()
  await clock.pass(5_000)
  expect(attention.scope).toBe('window')
  endToo()
  expect(log).toEqual(['awake', ...Array<string>(4).fill('look at window'), 'asleep'])
  expect([attention.scope, clock.timers]).toEqual([null, 0])
})

test('[L1] a look from elsewhere is good for 15 s; only one of the same person asks for stamps', async () => {
  const { clock, log, attention } = watched()
  attention.heard(7, { own: false, scope: 'person' })
  expect([attention.awake, attention.stamping]).toEqual([true, false])
  await clock.pass(10_000)
  attention.heard(8, { own: true, scope: 'window' })
  expect([attention.stamping, attention.ownLookers]).toEqual([true, [8]])
  await clock.pass(14_000)
  expect(attention.awake).toBe(true)
  await clock.pass(2_000)
  expect([attention.awake, attention.stamping, clock.timers]).toEqual([false, false, 0])
  expect(log).toEqual(['awake', 'asleep'])
})

test('[L1] summaries are told to own windows that compare, and to no others', () => {
  const { log, attention } = watched()
  attention.heard(7, { own: false, scope: 'person' })
  attention.heard(8, { own: true, scope: 'window' })
  expect(attention.comparing).toEqual([])
  attention.heard(8, { own: true, scope: 'person' })
  expect(attention.comparing).toEqual([8])
  const ends = [attention.look('window'), attention.look('person'), attention.look('window')]
  expect(attention.scope).toBe('person')
  ends[1]!()
  expect(attention.scope).toBe('window')
  expect(log).toEqual(['awake', 'look at window', 'look at person'])
  attention.stop()
})

test('[A6] as many lookers as one cares to know, and no more', () => {
  const { attention } = watched()
  for (let client = 1; client <= 1_000; client++) attention.heard(client, { own: true, scope: 'window' })
  expect(attention.ownLookers.length).toBe(100)
  attention.stop()
})

test('[A6] who is known already is heard again, however many there are', async () => {
  const { clock, attention } = watched()
  for (let client = 1; client <= 100; client++) attention.heard(client, { own: true, scope: 'person' })
  await clock.pass(10_000)
  attention.heard(1, { own: true, scope: 'person' })
  await clock.pass(6_000)
  expect(attention.ownLookers).toEqual([1])
  attention.stop()
})

test('a look is good for 15 s and not a tick more', async () => {
  const { clock, attention } = watched()
  attention.heard(7, { own: true, scope: 'person' })
  await clock.pass(15_000)
  expect(attention.awake).toBe(false)
})

test('while somebody looks there is a tick a second, and own edits are stamped', async () => {
  const { clock, attention, ticks } = watched()
  const end = attention.look('person')
  expect(attention.stamping).toBe(true)
  await clock.pass(3_000)
  expect(ticks()).toBe(3)
  end()
  await clock.pass(3_000)
  expect(ticks()).toBe(3)
})

test('where it is stopped nobody looks any more, here or elsewhere', () => {
  const { clock, log, attention } = watched()
  attention.look('person')
  attention.heard(7, { own: true, scope: 'person' })
  attention.stop()
  expect([attention.scope, attention.stamping, attention.awake, clock.timers]).toEqual([
    null,
    false,
    false,
    0,
  ])
  expect(log.at(-1)).toBe('asleep')
})
