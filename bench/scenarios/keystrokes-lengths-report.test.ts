import { expect, test } from 'vitest'
import { keystrokes } from './keystrokes.ts'
import type { LengthData, LengthOutcome, LengthOutcomes, Setting } from './keystrokes-lengths-figures.ts'
import { lengthReport } from './keystrokes-lengths-report.ts'

/** Keys that take so many ms to each stage, and one in ten that takes twice as long. */
const samples = (ms: number): number[] => Array.from({ length: 20 }, (_, index) => (index < 18 ? ms : 2 * ms))

interface Times {
  readonly own: number
  readonly applied: number
  readonly painted: number
}

const outcome = (
  subject: string,
  { own, applied, painted }: Times,
  { characters = 0, others = 0, longTasks = [[], [], []] as LengthData['longTasks'], round = 1 } = {},
): LengthOutcome => ({
  trial: { subject, lane: 'websocket', params: { windows: 3, characters, others }, round },
  data: {
    own: samples(own),
    applied: [samples(applied), samples(applied)],
    painted: [samples(painted), samples(painted)],
    longTasks,
    clockDifference: 0.02,
    latest: 1,
  },
  at: '2026-11-23T00:00:00.000Z',
  seconds: 1,
  load: 0.3,
  saturated: false,
  fsync: [0.5, 0.5],
})

const tiptap = { own: 5, applied: 10, painted: 20 }
const besideTiptap = (times: Times, setting: Partial<Setting> = {}): LengthOutcomes => [
  outcome('diptych', times, setting),
  outcome('tiptap-hocuspocus', tiptap, setting),
]

test('each stage is beside Tiptap’s of the same length, and has an aim of its own', () => {
  const { aims, tables } = lengthReport(
    besideTiptap({ own: 6, applied: 14, painted: 25 }, { characters: 21_000 }),
  )
  expect(aims.map(({ measured, limit, reached }) => [measured, limit, reached])).toEqual([
    [1.2, 1.2, true],
    [1.4, 1.3, false],
    [1.25, 1.3, true],
    [0, 0, true],
  ])
  expect(aims[1]?.name).toBe('Key → applied elsewhere ÷ Tiptap on Hocuspocus, 21,000 characters, p50')
  const once = (value: number) => ({ median: value, least: value, most: value })
  expect(tables[0]?.title).toBe('Key → three windows, 21,000 characters')
  expect(tables[0]?.rows).toEqual([
    ['own paint', ...[6, 12, 5, 10].map(once), 1.2, 1.2],
    ['applied elsewhere', ...[14, 28, 10, 20].map(once), 1.4, 1.4],
    ['painted elsewhere', ...[25, 50, 20, 40].map(once), 1.25, 1.25],
  ])
})

test('rounds have a median, and each length and number of others is by itself', () => {
  const { tables, aims } = lengthReport([
    ...[9, 6, 7].map((own, index) => outcome('diptych', { ...tiptap, own }, { round: index + 1 })),
    outcome('tiptap-hocuspocus', tiptap),
    ...besideTiptap(tiptap, { characters: 104_000, others: 5 }),
    ...besideTiptap(tiptap, { characters: 104_000 }),
  ])
  expect(tables[0]?.rows[0]?.[1]).toEqual({ median: 7, least: 6, most: 9 })
  expect(tables.map(({ title }) => title)).toEqual([
    'Key → three windows, 0 characters',
    'Key → three windows, 104,000 characters',
    'Key → three windows, 104,000 characters, 5 others writing',
    'Tasks over 50 ms, all windows and rounds',
  ])
  expect(aims).toHaveLength(3 * 4)
})

test('a miss says by how much, what the shortest has, and what the disk took where it is waited for', () => {
  const { aims } = lengthReport([
    ...besideTiptap({ own: 6, applied: 10, painted: 20 }),
    ...besideTiptap({ own: 15, applied: 30, painted: 40 }, { characters: 104_000 }),
  ])
  const [own, applied] = aims.filter(({ reached }) => !reached)
  expect(own?.reason).toBe(
    'It is 10.00 ms beyond Tiptap on Hocuspocus. With 0 characters Diptych has 6.00 ms.',
  )
  expect(applied?.reason).toContain('the disk by itself took')
})

test('tasks over 50 ms are counted in all windows, and the aim is none', () => {
  const { aims, tables } = lengthReport([
    outcome('diptych', tiptap, { longTasks: [[60], [], [51, 90]] }),
    outcome('diptych', tiptap, { round: 2 }),
    outcome('tiptap-hocuspocus', tiptap, { longTasks: [[55], [], []] }),
  ])
  expect(aims.at(-1)).toMatchObject({ measured: 3, limit: 0, reached: false })
  expect(aims.at(-1)?.reason).toBe(
    'The longest took 90 ms; the windows of Tiptap on Hocuspocus had 1 in the same run.',
  )
  expect(tables.at(-1)?.rows).toEqual([['0 characters', 3, 90, 1, 55]])
})

test('what was measured of one alone has figures, no ratio and no aim beside the other', () => {
  const { aims, tables, headlines } = lengthReport([outcome('diptych', tiptap)])
  expect(tables[0]?.rows[0]?.slice(3)).toEqual([null, null, null, null])
  expect(aims.map(({ name }) => name)).toEqual(['Tasks over 50 ms, 0 characters'])
  expect(headlines).toEqual([])
})

test('the README has the longest document without others', () => {
  const { headlines } = lengthReport([
    ...besideTiptap(tiptap),
    ...besideTiptap({ own: 7, applied: 10, painted: 22 }, { characters: 104_000 }),
    ...besideTiptap(tiptap, { characters: 104_000, others: 5 }),
  ])
  expect(
    headlines.map(({ ours, beside, aims }) => [ours, beside, aims?.map(({ reached }) => reached)]),
  ).toEqual([
    ['7.0 ms', 'Tiptap on Hocuspocus 5.0 ms', [false]],
    ['22.0 ms', 'Tiptap on Hocuspocus 20.0 ms', [true]],
  ])
})

const planOf = (...args: string[]) => keystrokes.bind(args, false).trials

test('lengths are planned beside Tiptap, ways beside the relay, both unless a peer is named', () => {
  const lengths = planOf(
    '--subjects',
    'diptych,tiptap-hocuspocus',
    '--characters',
    '0,104000',
    '--rounds',
    '2',
  )
  expect(
    lengths.map(({ subject, params, round }) => [round, subject, params['characters'], params['others']]),
  ).toEqual([
    [1, 'diptych', 0, 0],
    [1, 'tiptap-hocuspocus', 0, 0],
    [1, 'diptych', 0, 5],
    [1, 'tiptap-hocuspocus', 0, 5],
    [1, 'diptych', 104_000, 0],
    [1, 'tiptap-hocuspocus', 104_000, 0],
    [1, 'diptych', 104_000, 5],
    [1, 'tiptap-hocuspocus', 104_000, 5],
    [2, 'tiptap-hocuspocus', 104_000, 5],
    [2, 'diptych', 104_000, 5],
    [2, 'tiptap-hocuspocus', 104_000, 0],
    [2, 'diptych', 104_000, 0],
    [2, 'tiptap-hocuspocus', 0, 5],
    [2, 'diptych', 0, 5],
    [2, 'tiptap-hocuspocus', 0, 0],
    [2, 'diptych', 0, 0],
  ])
  const subjectsOf = (trials: typeof lengths) => [...new Set(trials.map(({ subject }) => subject))].toSorted()
  expect(subjectsOf(planOf('--subjects', 'diptych,relay'))).toEqual(['diptych', 'relay'])
  expect(subjectsOf(planOf('--subjects', 'relay'))).toEqual(['relay'])
  expect(planOf('--subjects', 'diptych').some(({ params }) => 'characters' in params)).toBe(true)
  expect(subjectsOf(planOf())).toEqual(['diptych', 'relay', 'tiptap-hocuspocus'])
  expect(planOf('--subjects', 'diptych,relay').some(({ params }) => 'characters' in params)).toBe(false)
})

test('a run of both parts has the tables and the aims of both', () => {
  const key = { edited: 0.5, sent: 1, applied: 4, rendered: 4, painted: 8, answered: 5 }
  const way = {
    ...outcome('diptych', tiptap),
    trial: { subject: 'diptych', lane: 'websocket', params: { network: 'direct', windows: 5 }, round: 1 },
    data: {
      readers: [[key]],
      clockDifference: 0.02,
      latest: 1,
      frames: { keys: [['AAAA']], answer: 'AA==' },
      serverCpuMsAKey: 0.4,
      residentKiB: 2048,
      pacedFsyncs: [0.5],
    },
  }
  const { report } = keystrokes.bind([], false)
  const titles = (outcomes: Parameters<typeof report>[0]) => report(outcomes).tables.map(({ title }) => title)
  const [ways, lengths] = [titles([way]), titles(besideTiptap(tiptap))]
  expect(ways).toEqual(['Key → four other windows, on this machine'])
  expect(lengths).toEqual(['Key → three windows, 0 characters', 'Tasks over 50 ms, all windows and rounds'])
  expect(titles([way, ...besideTiptap(tiptap)])).toEqual([...ways, ...lengths])
})
