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

const latencyState = (overrides: Partial<LatencyState>): LatencyState => {
  const { timelines: _, ...own } = latencySummary(0)
  return { ...own, receivedSummaries: [], ...overrides }
}

const otherWindow = (id: string, edits: readonly number[], sameBrowser = true) => ({
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

test('this window comes first, and windows of other devices name their device', () => {
  const receivedSummaries = [
    otherWindow('main', [1]),
    otherWindow('second', []),
    otherWindow('tablet', [], false),
  ]
  const measured = measuredWindowsOf(ownWindow, latencyState({ receivedSummaries }), [])
  expect(measured.map(({ name, self }) => [name, self])).toEqual([
    ['Connection inspector', true],
    ['Budget plan', false],
    ['Budget plan (2)', false],
    ['Budget plan on Safari on iPad', false],
  ])
})

test("a window's number in the list of windows is used here, too, and in the path of an edit", () => {
  const numberOf = (id: string) => (id === 'main' ? ' (2)' : '')
  const receivedSummaries = [otherWindow('main', [1]), otherWindow('second', [])]
  const measured = measuredWindowsOf(
    { id: 'here', name: 'Preview' },
    latencyState({ receivedSummaries }),
    [],
    numberOf,
  )
  expect(measured.map(({ name }) => name)).toEqual(['Preview', 'Budget plan (2)', 'Budget plan'])
  const figures = { id: 'main', name: 'Budget plan', device: '', sameBrowser: true } as WindowFigures
  expect([figures, { ...figures, id: 'gone' }].map(windowNamer(measured))).toEqual([
    'Budget plan (2)',
    'Budget plan',
  ])
})

test('the window that made most edits is shown first', () => {
  expect(
    busiestWindow(
      measuredWindowsOf(ownWindow, latencyState({ receivedSummaries: [otherWindow('main', [1, 2])] }), []),
    )?.id,
  ).toBe('main')
  expect(busiestWindow(measuredWindowsOf(ownWindow, latencyState({}), []))?.id).toBe('here')
  expect(busiestWindow([])).toBeUndefined()
})

test('a window that has just switched its transport still counts as the one with most edits', () => {
  const moved = {
    ...otherWindow('main', []),
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

test('each transport has a line of its own, and the one in use comes first', () => {
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

test('edits that another window reported earlier are kept, each as last reported', () => {
  const receivedEdits = new ReceivedEdits()
  const receiveEdits = (...edits: number[]) =>
    receivedEdits.addReceived(
      measuredWindowsOf(ownWindow, latencyState({ receivedSummaries: [otherWindow('main', edits)] }), []),
    )[1]!.summary.timelines
  receiveEdits(1, 2)
  expect(receiveEdits(2, 3).map((one) => one.edit)).toEqual([1, 2, 3])
  expect(
    receiveEdits(...Array.from({ length: 300 }, (_, index) => index)).map((one) => one.edit),
  ).toHaveLength(200)
  receivedEdits.clear()
  expect(receiveEdits(7).map((one) => one.edit)).toEqual([7])
})
