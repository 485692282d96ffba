import { expect, test } from 'vitest'
import type { LinkInfo, TransportId } from '@/lib/transports/transport.ts'
import { measure, type Progress, type Subject, type Time } from './measure.ts'

const spread = (count: number) => ({ count, p50: 1, p95: 2, p99: 3, max: 4 })

function world(broken: readonly TransportId[] = []) {
  const steps: string[] = []
  let now = 1_000
  let counted = 0
  const time: Time = {
    now: () => now,
    async sleep(ms, signal) {
      signal.throwIfAborted()
      now += ms
    },
  }
  const subject: Subject = {
    async switchTo(transport) {
      if (broken.includes(transport)) throw new Error(`no ${transport} here`)
      steps.push(transport)
      return { transport, protocol: 'h2', up: 'frames' } satisfies LinkInfo
    },
    edit(intended) {
      steps.push(`${intended}`)
      counted += 1
      now += intended === 1_000 + 21 * 10 ? 25 : 0 // it took longer than an interval
    },
    async answered() {
      steps.push('answered')
    },
    reset: () => void (counted = 0),
    figures: () => ({ acknowledged: spread(counted), saved: spread(counted), windows: [] }),
  }
  return { subject, time, steps, later: (ms: number) => (now += ms) }
}

const never = new AbortController().signal

test('each transport in turn: switched to, warmed up, and only then counted', async () => {
  const { subject, time, steps } = world()
  const told: Progress[] = []
  const plan = { transports: ['sse', 'poll'] as const, edits: 3, intervalMs: 10 }
  const lanes = await measure(plan, subject, time, (progress) => told.push(progress), never)
  expect(lanes).toEqual(
    ['sse', 'poll'].map((transport) => ({
      transport,
      protocol: 'h2',
      up: 'frames',
      acknowledged: spread(3),
      saved: spread(3),
      windows: [],
    })),
  )
  expect(steps.filter((step) => step === 'answered').length).toBe(4)
  expect(told.map(({ phase, made }) => `${phase} ${made}`).slice(0, 7)).toEqual(['switching 0', 'warming up 0', 'measuring 0', 'measuring 1', 'measuring 2', 'measuring 3', 'waiting 3']) // prettier-ignore
  expect(told.at(-1)).toMatchObject({ transport: 'poll', turn: 1 })
})

test('[L3] an edit that is made late counts from when it was due', async () => {
  const { subject, time, steps } = world()
  await measure({ transports: ['sse'], edits: 4, intervalMs: 10 }, subject, time, () => {}, never)
  const measured = steps.slice(steps.indexOf('answered') + 1, -1).map(Number)
  expect(measured.map((due) => due - measured[0]!)).toEqual([0, 10, 20, 30])
})

test('a transport that does not come up is its own lane’s problem', async () => {
  const { subject, time } = world(['stream'])
  const lanes = await measure(
    { transports: ['stream', 'sse'], edits: 1, intervalMs: 1 },
    subject,
    time,
    () => {},
    never,
  )
  expect(lanes.map(({ problem }) => problem)).toEqual(['no stream here', undefined])
})

test('a measurement that is cancelled says so and goes no further', async () => {
  const { subject, time, steps } = world()
  const abort = new AbortController()
  const tell = ({ made }: Progress) => made === 2 && abort.abort(new Error('cancelled'))
  const running = measure(
    { transports: ['sse', 'poll'], edits: 5, intervalMs: 1 },
    subject,
    time,
    tell,
    abort.signal,
  )
  await expect(running).rejects.toThrow('cancelled')
  expect(steps).not.toContain('poll')
})
