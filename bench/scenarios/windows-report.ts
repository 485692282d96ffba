/** The benchmark `windows`: medians over rounds. */
import type { Headline, Section, Table } from '../report/section.ts'
import { overRounds, type Spread, summarise } from '../support/stats.ts'
import type { Opening } from '../windows/opening.ts'
import type { Typing } from '../windows/beside.ts'

export type Measured =
  ({ readonly measured: 'opening' } & Opening) | ({ readonly measured: 'typing' } & Typing)

/** At 60 Hz. */
const FRAME_MS = 1000 / 60

export function sectionOf(measured: readonly Measured[]): Section {
  const openings = measured.filter((one) => one.measured === 'opening')
  const typings = measured.filter((one) => one.measured === 'typing')
  const opened = openingTable(openings)
  return {
    method: 'Chromium; a fresh browser profile for each opening. Median, least and most of the rounds.',
    tables: [opened, typingTable(typings)],
    charts: [
      {
        kind: 'bars',
        title: opened.title,
        unit: 'ms',
        groups: opened.rows.map(([what]) => what as string),
        series: [{ name: 'usable after', values: opened.rows.map(([, usable]) => usable as Spread) }],
      },
    ],
    aims: [],
    headlines: headlinesOf(typings),
    notes: [],
  }
}

function headlinesOf(typings: readonly Typing[]): Headline[] {
  const others = Math.max(...typings.map((typing) => typing.others))
  const seen = typings.filter((typing) => typing.others === others).flatMap((typing) => typing.seen)
  if (seen.length === 0) return []
  const { p50, p95 } = summarise(seen)
  return [
    {
      what: `Key → painted in another own window, ${others} of them open, p50 / p95`,
      ours: `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`,
      beside: 'a frame is 17 ms',
      of: { measured: 'typing', others },
    },
  ]
}

function openingTable(openings: readonly Opening[]): Table {
  const median = (of: readonly Opening[] | undefined, figure: (opening: Opening) => number): number =>
    overRounds((of ?? []).map(figure)).median
  const all = Map.groupBy(openings, ({ what }) => what)
  const main = all.get('main')
  return {
    title: 'Cold to usable',
    columns: [
      { name: 'window' },
      { name: 'usable after', unit: 'ms', digits: 0 },
      { name: 'of main’s time', unit: '×', digits: 2 },
      { name: 'script', unit: 'KiB', digits: 0 },
      { name: 'of main’s script', unit: '%', digits: 0 },
    ],
    rows: [...all].map(([what, own]) => {
      const usable = overRounds(own.map(({ usableMs }) => usableMs))
      const bytes = median(own, (opening) => opening.bytes)
      return [
        what,
        usable,
        usable.median / median(main, ({ usableMs }) => usableMs),
        bytes / 1024,
        (100 * bytes) / median(main, (opening) => opening.bytes),
      ]
    }),
  }
}

function typingTable(typings: readonly Typing[]): Table {
  const all = [...Map.groupBy(typings, ({ others }) => others)].toSorted(([one], [other]) => one - other)
  const cpuOf = (of: readonly Typing[]): Spread => overRounds(of.map(({ cpuMs }) => cpuMs))
  const alone = cpuOf(typings.filter(({ others }) => others === 0)).median
  return {
    title: 'Typing while other own windows are open',
    columns: [
      { name: 'others' },
      { name: 'processor a key', unit: 'ms', digits: 2 },
      { name: 'more than alone', unit: '%', digits: 0 },
      ...['p50', 'p95', 'max'].map((name) => ({ name: `key → painted there, ${name}`, unit: 'ms' })),
      { name: 'p50 in frames', digits: 1 },
    ],
    rows: all.map(([others, own]) => {
      const cpu = cpuOf(own)
      const seen = own.flatMap((typing) => typing.seen)
      const { p50, p95, max } = summarise(seen)
      const inFrames = seen.length === 0 ? null : p50 / FRAME_MS
      const times = seen.length === 0 ? [null, null, null] : [p50, p95, max]
      return [String(others), cpu, others === 0 ? null : (100 * cpu.median) / alone - 100, ...times, inFrames]
    }),
  }
}
