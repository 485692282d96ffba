import { expect, test } from 'vitest'
import { samplesToCsv, samplesToJson } from './export-samples.ts'
import type { LatencySamples, EditTimeline } from './latency-state.ts'

const edit = (fields: Partial<EditTimeline>): EditTimeline => ({
  edit: 1,
  key: 1_700_000_000_000.5,
  by: 'input',
  made: 0.25,
  arrivals: [],
  ...fields,
})

const samples = (...edits: EditTimeline[]): LatencySamples => ({
  takenAt: 1_700_000_001_000,
  document: 'd',
  window: 'w',
  windows: [
    { id: 'x', name: '=cmd("a"),b', device: '', person: 'Ada', own: true, sameBrowser: true, present: true },
  ],
  edits,
  simulated: false,
  queue: { edits: 0, bytes: 0 },
  traffic: { at: 1_700_000_001_000, up: 300, down: 200 },
  reconnects: 1,
  perKey: { up: 60, down: 55 },
  roundTrips: [],
  switches: [],
})

test('[T8] a row for each edit and window, units in the header, the link that each edit left by, and no name becomes a formula', () => {
  const arrival = {
    window: 'x',
    received: 1.23456,
    applied: 2,
    painted: 'hidden',
    path: 'browser',
    boundMs: 0.1,
  } as const
  const lines = samplesToCsv(
    samples(
      edit({
        ownPaint: 9,
        sent: 1,
        acknowledged: 3,
        saved: 4,
        link: { transport: 'sse', protocol: 'h2', up: 'batched posts', simulated: true },
        arrivals: [arrival, { ...arrival, window: 'gone' }],
      }),
      edit({ edit: 2, ownPaint: 'hidden', refused: true }),
    ),
  ).split('\r\n')
  expect(lines).toEqual([
    'edit,key (ms since 1970),by,made (ms),own paint (ms),sent (ms),acknowledged (ms),saved (ms),refused,window,window name,person,path,received (ms),applied (ms),painted (ms),bound (± ms),transport,protocol,way up,simulated,made in,document',
    `1,1700000000000.5,input,0.25,9,1,3,4,,x,"'=cmd(""a""),b",Ada,browser,1.235,2,hidden,0.1,sse,h2,batched posts,simulated,w,d`,
    '1,1700000000000.5,input,0.25,9,1,3,4,,gone,,,browser,1.235,2,hidden,0.1,sse,h2,batched posts,simulated,w,d',
    '2,1700000000000.5,input,0.25,hidden,,,,refused,,,,,,,,,,,,,w,d',
    '',
  ])
})

/** Returns the cell of a window's name. */
function nameCellOf(name: string): string {
  const arrival = { window: 'x', received: 1, applied: 2, painted: 3, path: 'server', boundMs: 0 } as const
  const given = samples(edit({ arrivals: [arrival] }))
  const csv = samplesToCsv({ ...given, windows: [{ ...given.windows[0]!, name }] })
  return csv.slice(csv.indexOf(',x,') + 3, csv.indexOf(',Ada,'))
}

test.each([
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['a=1', 'a=1'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  ['a,b', '"a,b"'],
  ['', ''],
])('[A6] a window called %j is written %j', (name, cell) => {
  expect(nameCellOf(name)).toBe(cell)
})

test('as JSON it says its format and its unit, and holds everything', () => {
  const given = samples(edit({ saved: 4 }))
  expect(JSON.parse(samplesToJson(given))).toEqual({
    format: 'diptych latency samples',
    version: 2,
    unit: 'ms',
    ...given,
  })
})
