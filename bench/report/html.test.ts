import { expect, test } from 'vitest'
import { reportWith, sampleReport, sampleRunInfo } from '../fixtures/sample-run.ts'
import { htmlOf } from './html.ts'

const page = await htmlOf('a run', sampleRunInfo, [sampleReport])

test('the page needs nothing from elsewhere, and runs nothing', () => {
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:/)
  expect(page).toContain('prefers-color-scheme: dark')
  expect(page).toContain('name="viewport"')
})

test('what is text stays text', () => {
  expect(page).toContain('Socket.IO &lt;polling&gt;')
  expect(page).toContain('p99 &lt;of all&gt;')
  expect(page).not.toContain('<polling>')
})

test('tables have a caption and heads for rows and columns; a spread has both ends', () => {
  expect(page).toContain('<caption>Latency</caption>')
  expect(page).toContain('<th scope="col">p50, ms</th>')
  expect(page).toContain('<th scope="row">Diptych</th><td>4.0<small>3.5–5.0</small></td>')
})

test('somebody else’s figure is set apart wherever it stands', () => {
  expect(page).toContain('<td class="published">605.6</td>')
  expect(page).toContain('<li class="published"><span>Socket.IO 2014 <small>published</small></span>')
})

test('an aim says by words whether it was reached, and why not', () => {
  expect(page).toContain('✓ reached</b><span>CPU a delivery: 0.42 of at most 0.5 × (0.5 of Hocuspocus)')
  expect(page).toContain(
    '✗ missed</b><span>p99 &lt;of all&gt;: 18 of at most 16 ms <small>Two cores for everything.',
  )
  expect(page).toContain('1 of 2 aims were reached.')
  expect(page).toContain(
    '<li><a href="#broadcast">broadcast</a>: p99 &lt;of all&gt;: 18 of at most 16 ms. <small>Two cores for everything.</small></li>',
  )
})

test('a headline says what was aimed at, and whether it was reached', () => {
  expect(page).toContain(
    '<td class="words">≤ 0.5 × (0.5 of Hocuspocus): 0.42, reached; ≤ 16 ms: 18, missed</td>',
  )
})

test('a missed aim that nobody has explained says that', async () => {
  const [, missed] = sampleReport.section.aims
  const { reason: _, ...unexplained } = missed!
  expect(await htmlOf('a run', sampleRunInfo, [reportWith({ aims: [unexplained] })])).toContain(
    'The reason is not known yet.',
  )
})

test('a line chart is report in words, and its points are a table, too', () => {
  expect(page).toContain('role="img" aria-label="How many took no longer: Diptych, Hocuspocus')
  expect(page).toMatch(/<th scope="row">50<\/th><td>5\.66<\/td><td>11\.31<\/td>/)
})

test('where it was measured, and what warns, is on it', async () => {
  expect(page).toContain('a machine, 2 cores, 4 GiB')
  expect(page).toContain('<dt>Releases</dt><dd>@hocuspocus/server 4.7.0, yjs 13.6.33</dd>')
  expect(page).toContain('p50 0.30 ms, p99 0.5 ms, the longest of 4 0.5 ms')
  expect(page).toContain('<p class="alarm">SATURATED: 1 of 6 trials</p>')
  const { finished: _, ...unfinished } = sampleRunInfo
  expect(await htmlOf('a run', { ...unfinished, quick: true }, [])).toMatch(/quick run.*not finished/s)
})

test('where nothing was measured yet there is a dash, and no bar', async () => {
  const none = { median: Number.NaN, least: Number.NaN, most: Number.NaN }
  const report = reportWith({
    tables: [
      { title: 'Latency', columns: [{ name: 'subject' }, { name: 'p50' }], rows: [['Diptych', none]] },
    ],
    charts: [
      { kind: 'bars', title: 'Latency', unit: 'ms', groups: ['a'], series: [{ name: 'b', values: [none] }] },
    ],
    aims: [],
  })
  const half = await htmlOf('a run', sampleRunInfo, [report])
  expect(half).toContain('<td>–</td>')
  expect(half).toContain('<i></i><b>–</b>')
  expect(half).not.toContain('NaN')
})

test('of bars side by side, those that do not exist in a group are not there', () => {
  expect(page.match(/SockJS 2014/g)).toHaveLength(1)
})

test('a headline of a busy machine says so', async () => {
  const [first] = sampleReport.section.headlines
  const busy = reportWith({ headlines: [{ ...first!, saturated: { count: 1, trials: 3 } }] })
  expect(await htmlOf('a run', sampleRunInfo, [busy])).toContain(
    '60 clients, p50 (saturated in 1 of 3 trials)</th>',
  )
})
