import { expect, test } from 'vitest'
import type { Figures } from '../crowd/measure.ts'
import { figures, outcome } from '../fixtures/crowd.ts'
import type { Chart, Section, Table } from '../report/section.ts'
import { samplesOf } from '../support/histogram.ts'
import { report } from './broadcast-report.ts'

/** One's own came back after 1, 1 and 10 ms: in the middle 1, on the mean 4. */
const own: Figures = {
  ...figures(4, 2),
  tally: { ...figures(4, 2).tally, acknowledgement: [samplesOf([1, 1, 10])] },
}

const sixty = (lane: string, subject = 'diptych', clients = 60) =>
  outcome(subject, lane, { part: 'sixty' as const, clients }, own)

const tableCalled = ({ tables }: Section, title: string): Table =>
  tables.find((table) => table.title.startsWith(title))!

const chartCalled = ({ charts }: Section, title: string): Chart | undefined =>
  charts.find((chart) => chart.title.startsWith(title))

/** The table's cells below a column, by row. */
function column({ columns, rows }: Table, name: string): Record<string, unknown> {
  const index = columns.findIndex((one) => one.name === name)
  return Object.fromEntries(rows.map((row) => [row[0], row[index]]))
}

test('one’s own message coming back has its mean, as published, and what was published of that way', () => {
  const table = tableCalled(report([sixty('websocket'), sixty('sse-h2'), sixty('poll')]), '60 clients')
  expect(column(table, 'own, mean')['Diptych, WebSocket']).toEqual({ median: 4, least: 4, most: 4 })
  expect(column(table, 'own, p50')['Diptych, WebSocket']).toMatchObject({
    median: expect.closeTo(1, 1) as number,
  })
  expect(column(table, 'own, mean, published')).toEqual({
    'Diptych, WebSocket': '6–75.9',
    'Diptych, Server-sent events over HTTP/2': '18.1',
    'Diptych, Polling': '162–606',
  })
})

test('each framework’s published mean is a bar beside ours', () => {
  const chart = chartCalled(report([sixty('websocket'), sixty('sse-h2')]), 'One’s own edit')
  if (chart?.kind !== 'bars') throw new Error('no bars')
  const at = chart.groups.indexOf('WebSocket')
  const bars = chart.series.map(({ name, values, published }) => [name, values[at], published])
  expect(bars).toEqual([
    ['Diptych', { median: 4, least: 4, most: 4 }, undefined],
    ['Diptych, HTTP/2', null, undefined],
    ['SignalR 2014', 18.4, true],
    ['Socket.IO 2014', 6, true],
    ['SockJS 2014', 61.2, true],
    ['Play 2014', 75.9, true],
    ['Lightstreamer 2014', 17.8, true],
  ])
})

test('bytes are of as many edits as were published, both ways', () => {
  // 10 edits took 3,000 bytes: 1,800 take 540,000.
  const measured = { ...own, bytes: { up: 1_000, down: 2_000 } }
  const section = report([
    outcome('diptych', 'long-poll', { part: 'bytes' as const, clients: 60 }, measured),
    outcome('diptych', 'sse', { part: 'bytes' as const, clients: 60 }, measured),
  ])
  const table = tableCalled(section, 'Bytes on the wire')
  expect(column(table, 'both, 60 clients in 15 s')['Diptych, Long polling']).toMatchObject({ median: 0.54 })
  expect(column(table, 'published')).toEqual({
    'Diptych, Long polling': '104–220',
    'Diptych, Server-sent events': '70–94',
  })
  expect(chartCalled(section, 'Bytes')).toBeDefined()
  expect(tableCalled(section, 'Published: bytes').rows[0]).toEqual(['SignalR', null, 220, null, 94, 65, null])
})

test('the sixty clients have their rows in the README, each way beside its own', () => {
  const { headlines } = report([
    sixty('websocket'),
    sixty('websocket', 'hocuspocus'),
    sixty('websocket', 'socket.io'),
    sixty('sse-h2'),
    sixty('long-poll'),
    sixty('long-poll', 'socket.io'),
  ])
  expect(headlines.map(({ ours, beside, published }) => [ours, beside, published])).toEqual([
    ['4.0 ms', 'Hocuspocus 4.0 ms; Socket.IO 4.0 ms', 'Socket.IO 6 ms to Play 75.9 ms (Johannessen 2014)'],
    ['4.0 ms', undefined, 'SignalR 18.1 ms (Johannessen 2014)'],
    ['4.0 ms', 'Socket.IO 4.0 ms', 'Socket.IO 52.6 ms to SockJS 199 ms (Johannessen 2014)'],
  ])
})

test('with other than sixty clients nothing that was published stands beside it', () => {
  const section = report([sixty('websocket', 'diptych', 100)])
  expect(section.headlines).toEqual([])
  expect(chartCalled(section, 'One’s own')).toBeUndefined()
  expect(column(tableCalled(section, '100 clients'), 'own, mean, published')).toEqual({
    'Diptych, WebSocket': null,
  })
})

test('what was sent, acknowledged and delivered in each second is drawn, of clients in pages, too', () => {
  const inPages = outcome('diptych', 'sse', { part: 'browser' as const, clients: 60 }, own)
  const second = (round: number, sent: number) => ({
    ...sixty('websocket'),
    trial: { ...sixty('websocket').trial, round },
    data: {
      ...own,
      tally: {
        ...own.tally,
        perSecond: [
          { sent, acknowledged: 8, delivered: 900 },
          { sent: 0, acknowledged: 2, delivered: 100 },
        ],
      },
    },
  })
  const { charts } = report([second(1, 10), second(2, 12), second(3, 30), inPages])
  const drawn = charts.flatMap((chart) =>
    chart.kind === 'lines' ? [[chart.title, chart.series[0]?.points]] : [],
  )
  expect(drawn).toEqual([
    ['Edits sent in each second', [[0, 12]]],
    ['Edits that the server has told their author of in each second', [[0, 8]]],
    ['Deliveries in each second', [[0, 900]]],
    ['Edits sent in each second, clients in pages', [[0, 10]]],
    ['Edits that the server has told their author of in each second, clients in pages', [[0, 8]]],
    ['Deliveries in each second, clients in pages', [[0, 900]]],
  ])
})
