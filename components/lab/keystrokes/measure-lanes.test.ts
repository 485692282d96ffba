import { expect, test } from 'vitest'
import type { LinkInfo, TransportId } from '@/lib/transports/transport.ts'
import {
  measureLanes,
  type MeasurementProgress,
  type WindowsUnderTest,
  type MeasurementClock,
} from './measure-lanes.ts'

const spread = (count: number) => ({ count, p50: 1, p95: 2, p99: 3, max: 4 })

function createFixture(brokenTransports: readonly TransportId[] = []) {
  const steps: string[] = []
  let now = 1_000
  let editCount = 0
  const clock: MeasurementClock = {
    now: () => now,
    async sleep(ms, signal) {
      signal.throwIfAborted()
      now += ms
    },
  }
  const windows: WindowsUnderTest = {
    async switchTransport(transport) {
      if (brokenTransports.includes(transport)) throw new Error(`no ${transport} here`)
      steps.push(transport)
      return { transport, protocol: 'h2', up: 'frames' } satisfies LinkInfo
    },
    makeEdit(intended) {
      steps.push(`${intended}`)
      editCount += 1
      now += intended === 1_000 + 21 * 10 ? 25 : 0 // it took longer than an interval
    },
    async waitForAnswers() {
      steps.push('answered')
    },
    reset: () => void (editCount = 0),
    collectFigures: () => ({ acknowledged: spread(editCount), saved: spread(editCount), windows: [] }),
  }
  return { windows, clock, steps, advanceTime: (ms: number) => (now += ms) }
}

const neverAborted = new AbortController().signal

test('each transport in turn is switched to, warmed up, and only then measured', async () => {
  const { windows, clock, steps } = createFixture()
  const progresses: MeasurementProgress[] = []
  const plan = { transports: ['sse', 'poll'] as const, edits: 3, intervalMs: 10 }
  const lanes = await measureLanes(
    plan,
    windows,
    clock,
    (progress) => progresses.push(progress),
    neverAborted,
  )
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
  expect(progresses.map(({ phase, editCount }) => `${phase} ${editCount}`).slice(0, 7)).toEqual(['switching 0', 'warming up 0', 'measuring 0', 'measuring 1', 'measuring 2', 'measuring 3', 'waiting 3']) // prettier-ignore
  expect(progresses.at(-1)).toMatchObject({ transport: 'poll', laneIndex: 1 })
})

test('[L3] an edit that is made late counts from when it was due', async () => {
  const { windows, clock, steps } = createFixture()
  await measureLanes(
    { transports: ['sse'], edits: 4, intervalMs: 10 },
    windows,
    clock,
    () => {},
    neverAborted,
  )
  const measured = steps.slice(steps.indexOf('answered') + 1, -1).map(Number)
  expect(measured.map((due) => due - measured[0]!)).toEqual([0, 10, 20, 30])
})

test('a transport that fails to connect fails only its own lane', async () => {
  const { windows, clock } = createFixture(['stream'])
  const lanes = await measureLanes(
    { transports: ['stream', 'sse'], edits: 1, intervalMs: 1 },
    windows,
    clock,
    () => {},
    neverAborted,
  )
  expect(lanes.map(({ problem }) => problem)).toEqual(['no stream here', undefined])
})

test('a cancelled measurement rejects and stops', async () => {
  const { windows, clock, steps } = createFixture()
  const abort = new AbortController()
  const cancelAfterTwo = ({ editCount }: MeasurementProgress) =>
    editCount === 2 && abort.abort(new Error('cancelled'))
  const running = measureLanes(
    { transports: ['sse', 'poll'], edits: 5, intervalMs: 1 },
    windows,
    clock,
    cancelAfterTwo,
    abort.signal,
  )
  await expect(running).rejects.toThrow('cancelled')
  expect(steps).not.toContain('poll')
})
