import { expect, test } from 'vitest'
import { sectionSnapshot } from '../fixtures/section-snapshot.ts'
import { outcomeOf } from '../fixtures/sample-run.ts'
import { samplesOf } from '../support/histogram.ts'
import { count, metric, percentiles, ratio, Rounds, time, withName } from './metrics.ts'
import { aim, besidePeers, sectionOf } from './section-declaration.ts'
import { barChart, figuresTable, table } from './tables-and-charts.ts'

interface Data {
  readonly ms: number
  readonly samples: readonly number[]
  readonly lost: number
}

type Of = { readonly name: string }
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

test('outcomes are grouped by subject, lane and params, in the order of the plan or of the values', () => {
  expect(all.groupBy(({ subject }) => subject).map(({ name, outcomes }) => [name, outcomes.length])).toEqual([
    ['A', 3],
    ['B', 2],
  ])
  expect(all.rows('clients').map(({ name }) => name)).toEqual(['100', '200'])
  expect(
    all.rows('subject', ['B', 'C', 'A'], (subject) => `server ${subject}`).map(({ name }) => name),
  ).toEqual(['server B', 'server A'])
  expect(all.distinct(({ params }) => params.clients)).toEqual([100, 200])
  expect(all.where({ subject: 'A', lane: 'sse', clients: 200 }).data.map((data) => data.ms)).toEqual([7])
})

test('a metric has the median, least and most of the rounds’ figures, a count their sum, and an aim a median or a ratio', () => {
  expect(ms.of(b)).toEqual({ median: 9, least: 8, most: 10 })
  expect(lost.of(a)).toBe(3)
  expect(a.median(lost)).toBe(3)
  expect(ratio(ms, a, b)).toBe(0.5)
  expect(aim('', ms, { atMost: 1, of: a, beside: b })).toMatchObject({ measured: 0.5, unit: '×' })
  expect(aim('', ms, { atMost: 5, of: a })).toMatchObject({ measured: 4.5, limit: 5, unit: 'ms' })
  expect(all.max((data) => data.ms)).toBe(10)
  expect(withName('mean', ms)).toMatchObject({ name: 'mean', unit: 'ms', better: 'less' })
})

test('there is no figure of what was not measured', () => {
  const none = all.where({ subject: 'C' })
  expect([ms.of(none), none.median(ms), none.max((data) => data.ms)]).toEqual([null, Number.NaN, Number.NaN])
  expect(metric<Data>('', '', () => undefined).of(a)).toBeNull()
})

test('a time is a percentile of each round’s samples, which are numbers or histograms', () => {
  expect(time('max', (data: Data) => data.samples).of(a)).toEqual({ median: 6, least: 3, most: 9 })
  const kept = time('p50', (data: Data) => [samplesOf([data.ms])]).of(b)
  expect(kept).toMatchObject({ least: expect.closeTo(8, 1) as number, most: expect.closeTo(10, 1) as number })
})

test('a section shows the figures of its metrics, and leaves out what was not measured', async () => {
  const nobody = all.where({ subject: 'C' })
  const each = [{ name: 'each', samplesOf: ({ samples }: Data) => samples }]
  const theirs = { name: '2014', published: true, of: ({ name }: Of) => (name === 'A' ? 6 : null) }
  const limit = { name: 'time', limit: 5, unit: 'ms' }
  const reached = { ...limit, measured: 5 }
  const section = sectionOf({
    method: 'M.',
    tables: [
      table('Times', [a.withName('ours'), b.withName('theirs')], [ms, lost], {
        head: 'who',
        note: 'Loopback.',
      }),
      figuresTable('The other way round', a, [ms, lost], 0),
      table('Samples', each, percentiles(a, ['p50', 'max'])),
      undefined,
      table('None', [], []),
    ],
    charts: [
      barChart(
        'Times',
        small.groupBy(({ subject }) => subject),
        [ms, theirs],
        { scale: 'log' },
      ),
    ],
    aims: [
      reached,
      { ...limit, measured: 6, reason: ['The disk.', '', 'Busy.'] },
      { ...limit, measured: Number.NaN },
    ],
    headlines: [
      {
        what: 'Time',
        ours: b.medianText(ms, '', 1),
        beside: [a.medianText(ms, 'A'), nobody.medianText(ms), 'D 1,234 ms'],
        aims: [reached, undefined],
      },
      { what: 'Time', ...besidePeers(ms, b, { C: nobody }) },
    ],
    notes: [undefined, 'N.'],
  })
  await expect(sectionSnapshot('sample', section)).toMatchFileSnapshot('../fixtures/sample-section.txt')
  expect(section.tables[0]?.columns[1]).toEqual({ name: 'time', unit: 'ms', digits: 2, better: 'less' })
  expect(section.charts).toMatchObject([{ scale: 'log', series: [{ name: 'time' }, { published: true }] }])
})
