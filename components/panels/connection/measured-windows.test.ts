import { expect, test } from 'vitest'
import type { LatencyState, WindowFigures } from '@/lib/latency/latency-state.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { edit, latencySummary } from './fixtures/measured-edits.ts'
import {
  busiestWindow,
  measuredLinesOf,
  windowNamer,
  measuredWindowsOf,
  ReceivedEdits,
} from './measured-windows.ts'

const latencyState = (told: Partial<LatencyState>): LatencyState => {
  const { timelines: _, ...own } = latencySummary(0)
  return { ...own, receivedSummaries: [], ...told }
}

const elsewhere = (id: string, edits: readonly number[], sameBrowser = true) => ({
  ...latencySummary(edits.length),
  id,
  name: 'Budget plan',
  device: 'Safari on iPad',
  sameBrowser,
  at: 0,
  timelines: edits.map((number) => edit({ edit: number })),
})

const websocket: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }
const poll: LinkInfo = { transport: 'poll', protocol: 'h2', up: 'batched posts' }
const ownWindow = { id: 'here', name: 'Connection inspector' }

test('this window comes first, and those of other devices say where they are', () => {
  const others = [elsewhere('main', [1]), elsewhere('second', []), elsewhere('tablet', [], false)]
  const seen = measuredWindowsOf(ownWindow, latencyState({ receivedSummaries: others }), [])
  expect(seen.map(({ name, self }) => [name, self])).toEqual([
    ['Connection inspector', true],
    ['Budget plan', false],
    ['Budget plan (2)', false],
    ['Budget plan on Safari on iPad', false],
  ])
})

test('a number that the list of windows has stands here, too, and in the ways of an edit', () => {
  const numberOf = (id: string) => (id === 'main' ? ' (2)' : '')
  const others = [elsewhere('main', [1]), elsewhere('second', [])]
  const seen = measuredWindowsOf(
    { id: 'here', name: 'Preview' },
    latencyState({ receivedSummaries: others }),
    [],
    numberOf,
  )
  expect(seen.map(({ name }) => name)).toEqual(['Preview', 'Budget plan (2)', 'Budget plan'])
  const far = { id: 'main', name: 'Budget plan', device: '', sameBrowser: true } as WindowFigures
  expect([far, { ...far, id: 'gone' }].map(windowNamer(seen))).toEqual(['Budget plan (2)', 'Budget plan'])
})

test('the window that made most edits is looked at first', () => {
  expect(
    busiestWindow(
      measuredWindowsOf(ownWindow, latencyState({ receivedSummaries: [elsewhere('main', [1, 2])] }), []),
    )?.id,
  ).toBe('main')
  expect(busiestWindow(measuredWindowsOf(ownWindow, latencyState({}), []))?.id).toBe('here')
  expect(busiestWindow([])).toBeUndefined()
})

test('a window that has just gone over to another transport is still the one that made most', () => {
  const moved = {
    ...elsewhere('main', []),
    earlier: [{ link: websocket, edits: 9, own: latencySummary(9).own }],
  }
  expect(
    busiestWindow(
      measuredWindowsOf(
        ownWindow,
        { ...latencyState({ receivedSummaries: [moved] }), own: latencySummary(3).own },
        [],
      ),
    )?.id,
  ).toBe('main')
})

test('what was measured by another transport is another line, and the one in use comes first', () => {
  const [one] = measuredWindowsOf(ownWindow, latencyState({ link: poll }), [])
  const points = [{ x: 1, link: websocket }, { x: 2, link: { ...poll, simulated: true as const } }, { x: 3 }]
  expect(measuredLinesOf(one!, points).map(({ name, points: own }) => [name, own.map(({ x }) => x)])).toEqual(
    [
      ['Connection inspector, Polling', [3]],
      ['Connection inspector, Polling, simulated', [2]],
      ['Connection inspector, WebSocket', [1]],
    ],
  )
  expect(measuredLinesOf(one!, points.slice(0, 1))[0]).toEqual({
    name: 'Connection inspector, Polling',
    points: [],
  })
})

test('edits that another window told before are kept, each as it was told last', () => {
  const told = new ReceivedEdits()
  const receiveEdits = (...edits: number[]) =>
    told.addReceived(
      measuredWindowsOf(ownWindow, latencyState({ receivedSummaries: [elsewhere('main', edits)] }), []),
    )[1]!.summary.timelines
  receiveEdits(1, 2)
  expect(receiveEdits(2, 3).map((one) => one.edit)).toEqual([1, 2, 3])
  expect(
    receiveEdits(...Array.from({ length: 300 }, (_, index) => index)).map((one) => one.edit),
  ).toHaveLength(200)
  told.clear()
  expect(receiveEdits(7).map((one) => one.edit)).toEqual([7])
})
