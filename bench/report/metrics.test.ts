import { expect, test } from 'vitest'
import { outcomeOf } from '../fixtures/sample-run.ts'
import { samplesOf } from '../support/histogram.ts'
import {
  bars,
  called,
  count,
  figuresTable,
  metric,
  percentiles,
  ratio,
  Rounds,
  sectionOf,
  table,
  time,
} from './metrics.ts'

interface Data {
  readonly ms: number
  readonly samples: readonly number[]
  readonly lost: number
}

type Size = { readonly clients: number }

const outcome = (subject: string, clients: number, round: number, data: Partial<Data>) =>
  outcomeOf<Size, Data>(
    { subject, lane: 'sse', params: { clients }, round },
    { ms: 0, samples: [], lost: 0, ...data },
  )

const all = new Rounds<Size, Data>([
  outcome('A', 100, 1, { ms: 4, samples: [1, 2, 9], lost: 1 }),
  outcome('B', 100, 1, { ms: 8 }),
  outcome('B', 100, 2, { ms: 10 }),
  outcome('A', 100, 2, { ms: 5, samples: [3], lost: 2 }),
  outcome('A', 200, 1, { ms: 7 }),
])

const ms = metric<Data>('time', 'ms', (data) => data.ms, { digits: 2 })
const lost = count<Data>('lost', (data) => data.lost)
const small = all.where({ clients: 100 })
const [a, b] = small.split('subject', ['A', 'B'])

test('outcomes belong together by subject, lane and params, in the order of the plan or of the values', () => {
  expect(all.by(({ subject }) => subject).map(({ name, outcomes }) => [name, outcomes.length])).toEqual([
    ['A', 3],
    ['B', 2],
  ])
  expect(all.rows('clients').map(({ name }) => name)).toEqual(['100', '200'])
  expect(
    all.rows('subject', ['B', 'C', 'A'], (subject) => `server ${subject}`).map(({ name }) => name),
  ).toEqual(['server B', 'server A'])
  expect(all.each(({ params }) => params.clients)).toEqual([100, 200])
  expect(all.where({ subject: 'A', lane: 'sse', clients: 200 }).data.map((data) => data.ms)).toEqual([7])
})

test('a metric has the median and both ends of the rounds’ own figures, and a count their sum', () => {
  expect(ms.of(b)).toEqual({ median: 9, least: 8, most: 10 })
  expect(lost.of(a)).toBe(3)
  expect(a.median(lost)).toBe(3)
  expect(ratio(ms, a, b)).toBe(0.5)
  expect(all.most((data) => data.ms)).toBe(10)
  expect(called('mean', ms)).toMatchObject({ name: 'mean', unit: 'ms', better: 'less' })
})

test('where nothing was measured there is no figure', () => {
  const none = all.where({ subject: 'C' })
  expect([ms.of(none), none.median(ms), none.most((data) => data.ms)]).toEqual([null, Number.NaN, Number.NaN])
  expect(metric<Data>('', '', () => undefined).of(a)).toBeNull()
})

test('a time is a percentile of each round’s own samples, raw or in histograms', () => {
  expect(time('max', (data: Data) => data.samples).of(a)).toEqual({ median: 6, least: 3, most: 9 })
  const kept = time('p50', (data: Data) => [samplesOf([data.ms])]).of(b)
  expect(kept).toMatchObject({ least: expect.closeTo(8, 1) as number, most: expect.closeTo(10, 1) as number })
})

test('a table has a row for each of the rounds and a column for each metric, or the other way round', () => {
  expect(
    table('Times', [a.named('ours'), b.named('theirs')], [ms, lost], { head: 'who', note: 'Loopback.' }),
  ).toEqual({
    title: 'Times',
    columns: [
      { name: 'who' },
      { name: 'time', unit: 'ms', digits: 2, better: 'less' },
      { name: 'lost', digits: 0 },
    ],
    rows: [
      ['ours', { median: 4.5, least: 4, most: 5 }, 3],
      ['theirs', { median: 9, least: 8, most: 10 }, 0],
    ],
    note: 'Loopback.',
  })
  expect(figuresTable('Figures', a, [ms, lost], 0)?.rows).toEqual([
    ['time, ms', { median: 4.5, least: 4, most: 5 }],
    ['lost', 3],
  ])
  const rows = [{ name: 'each', samplesOf: ({ samples }: Data) => samples }]
  expect(table('Samples', rows, percentiles(a, ['p50', 'max']))?.rows).toEqual([
    ['each', { median: 2.5, least: 2, most: 3 }, { median: 6, least: 3, most: 9 }],
  ])
})

test('a chart has a group for each row and a bar for each metric; somebody else’s is marked', () => {
  const published = {
    name: '2014',
    published: true,
    of: ({ name }: { name: string }) => (name === 'A' ? 6 : null),
  }
  expect(
    bars(
      'Times',
      small.by(({ subject }) => subject),
      [ms, published],
      { scale: 'log' },
    ),
  ).toEqual({
    kind: 'bars',
    title: 'Times',
    unit: 'ms',
    scale: 'log',
    groups: ['A', 'B'],
    series: [
      {
        name: 'time',
        values: [
          { median: 4.5, least: 4, most: 5 },
          { median: 9, least: 8, most: 10 },
        ],
      },
      { name: '2014', values: [6, null], published: true },
    ],
  })
})

test('an aim is reached up to its limit, has its reasons, and is none where nothing was measured', () => {
  const limit = { name: 'time', limit: 5, unit: 'ms' }
  const reason = ['The disk.', '', 'Busy.']
  const aims = [
    { ...limit, measured: 5 },
    { ...limit, measured: 6, reason },
    { ...limit, measured: Number.NaN },
  ]
  expect(sectionOf({ method: '', tables: [], aims }).aims).toEqual([
    { ...limit, measured: 5, reached: true },
    { ...limit, measured: 6, reached: false, reason: 'The disk. Busy.' },
  ])
})

test('a headline says what stands beside it, as far as it was measured', () => {
  const own = { name: 'time', measured: 4, limit: 5, unit: 'ms' }
  const headlines = [
    {
      what: 'Time',
      ours: b.words(ms, '', 1),
      beside: [a.words(ms, 'A'), all.where({ subject: 'C' }).words(ms), 'D 1,234 ms'],
      aims: [own, undefined],
    },
    { what: 'Time', ours: all.where({ subject: 'C' }).words(ms) },
  ]
  expect(sectionOf({ method: '', tables: [], headlines }).headlines).toEqual([
    { what: 'Time', ours: '9.0 ms', beside: 'A 4.50 ms; D 1,234 ms', aims: [{ ...own, reached: true }] },
  ])
})

test('a section leaves out what was not measured', () => {
  expect(
    sectionOf({ method: 'M.', tables: [undefined, table('None', [], [])], notes: [undefined, 'N.'] }),
  ).toEqual({
    method: 'M.',
    tables: [],
    charts: [],
    aims: [],
    headlines: [],
    notes: ['N.'],
  })
})
