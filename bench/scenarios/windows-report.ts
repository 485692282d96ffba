/** The benchmark `windows` in words: medians over rounds, and all samples for the file. */
import type { Surroundings } from '../support/machine.ts'
import { overRounds, summarise, type Spread } from '../support/stats.ts'
import type { Typing } from '../windows/beside.ts'
import type { Opening } from '../windows/opening.ts'

interface Measured {
  readonly at: Surroundings
  readonly loadBefore: number
  readonly openings: readonly Opening[]
  readonly typings: readonly Typing[]
}

/** At 60 Hz. */
const FRAME_MS = 1000 / 60

const spread = ({ median, least, most }: Spread, digits = 0): string =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`

export function reportOf(measured: Measured): { text: string; result: object } {
  const { at, openings, typings } = measured
  const text = [
    `windows: ${at.machine}, ${at.cores} cores, Chromium ${at.browser}, Diptych ${at.commit}`,
    '',
    'Cold to usable, a fresh browser each time; median (least–most)',
    ...openingLines(openings),
    '',
    'Typing, while other own windows are open',
    ...typingLines(typings),
  ].join('\n')
  return { text, result: { scenario: 'windows', ...measured } }
}

function openingLines(openings: readonly Opening[]): string[] {
  const of = (what: Opening['what']) => openings.filter((opening) => opening.what === what)
  const median = (what: Opening['what'], figure: (opening: Opening) => number) =>
    overRounds(of(what).map(figure)).median
  const mainMs = median('main', ({ usableMs }) => usableMs)
  const mainBytes = median('main', ({ bytes }) => bytes)
  return [...new Set(openings.map(({ what }) => what))].map((what) => {
    const ms = overRounds(of(what).map(({ usableMs }) => usableMs))
    const bytes = median(what, (opening) => opening.bytes)
    const ratios = `${(ms.median / mainMs).toFixed(2)} × time, ${((100 * bytes) / mainBytes).toFixed(0)} % of script`
    return `  ${what.padEnd(12)}${spread(ms).padEnd(20)} ms  ${(bytes / 1024).toFixed(0).padStart(4)} KiB  ${ratios}`
  })
}

function typingLines(typings: readonly Typing[]): string[] {
  const cpuOf = (others: number) =>
    overRounds(typings.filter((typing) => typing.others === others).map(({ cpuMs }) => cpuMs))
  const alone = cpuOf(0).median
  return [...new Set(typings.map(({ others }) => others))]
    .toSorted((a, b) => a - b)
    .map((others) => {
      const cpu = cpuOf(others)
      const more = others === 0 ? '' : `  ${((100 * cpu.median) / alone - 100).toFixed(0).padStart(3)} %`
      return `  ${String(others).padStart(2)} others  ${spread(cpu, 2)} ms of processor a key${more}${seenWords(typings, others)}`
    })
}

function seenWords(typings: readonly Typing[], others: number): string {
  const samples = typings.filter((typing) => typing.others === others).flatMap(({ seen }) => seen)
  if (samples.length === 0) return ''
  const { p50, p95, max } = summarise(samples)
  const frames = (p50 / FRAME_MS).toFixed(1)
  return `; key → painted there p50 ${p50.toFixed(1)} (${frames} frames), p95 ${p95.toFixed(1)}, max ${max.toFixed(0)} ms`
}
