/** People come, write for a while and leave, for half an hour: whether the server's memory keeps growing. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import { whenAllSynced, closeAll, openNewDocument } from '../clients/own-clients.ts'
import { formatFixed } from '../report/format-figures.ts'
import { metric, type Rounds } from '../report/metrics.ts'
import type { SectionDeclaration } from '../report/section-declaration.ts'
import { figuresTable, lineChart } from '../report/tables-and-charts.ts'
import { number } from '../support/options.ts'
import type { ProcessUsage } from '../support/process-usage.ts'
import { scenario } from '../support/scenario.ts'
import { diptych, type ServerProcess } from '../support/server.ts'
import { type Slope, slopeOf } from '../support/student-t.ts'

const SAMPLE_MS = 5_000
/** Shorter than the warm-up, within which the server then releases what ended sessions hold. */
const SESSION_KEEP_S = 20
const VISIT_MS = 20_000
const PEOPLE_PER_DOCUMENT = 4

const ids = [...transports.keys()]

type SoakParams = {
  readonly seconds: number
  readonly documents: number
}

interface Sample extends Pick<ProcessUsage, 'residentKiB' | 'cpuMs'> {
  /** Milliseconds since the end of the warm-up. */
  readonly at: number
}

interface SoakData {
  readonly samples: readonly Sample[]
  readonly visits: number
  readonly edits: number
}

const options = {
  seconds: number('seconds after the warm-up', 1_800, 20, 24 * 3_600),
  warmup: number(
    'seconds before samples count, in which caches fill and the heap finds its size',
    300,
    0,
    3_600,
  ),
  documents: number('documents open at once, with four people in each', 10, 1, 500),
}

export const soakScenario = scenario<typeof options, SoakParams, SoakData>({
  name: 'soak',
  sentence: 'People come, write and leave for half an hour: the slope of the server’s memory.',
  options,
  rounds: 1,
  quick: { seconds: '20', warmup: '0', documents: '5' },
  plan: ({ seconds, documents }) => [{ lane: 'every transport', params: { seconds, documents } }],
  estimate: (_trial, { seconds, warmup }) => seconds + warmup + 5,
  async run({ params: { seconds, documents } }, ctx, { warmup }) {
    const env = { SESSION_KEEP_S: String(SESSION_KEEP_S) }
    const server = await ctx.startServer(diptych({ env }))
    const over = new AbortController()
    ctx.defer(() => over.abort())
    const counts = { visits: 0, edits: 0 }
    const visiting = Promise.all(
      Array.from({ length: documents }, (_, index) => visitDocuments(server, index, over.signal, counts)),
    )
    visiting.catch(() => over.abort())
    await sleep(warmup * 1_000, undefined, { signal: ctx.signal })
    const samples: Sample[] = []
    const startedAt = performance.now()
    await ctx.measure(async () => {
      while (performance.now() - startedAt < seconds * 1_000 && !over.signal.aborted) {
        const at = performance.now() - startedAt
        const { residentKiB, cpuMs } = await server.usage()
        samples.push({ at, residentKiB, cpuMs })
        await sleep(SAMPLE_MS, undefined, { signal: ctx.signal })
      }
    })
    over.abort()
    await visiting
    return { samples, ...counts }
  },
  report,
})

/** Opens one new document after another, each with four people who write and leave, so that as many stay alive at all times. */
async function visitDocuments(
  server: ServerProcess,
  index: number,
  over: AbortSignal,
  counts: { visits: number; edits: number },
): Promise<void> {
  for (let turn = index; !over.aborted; turn++) {
    const people = Array.from(
      { length: PEOPLE_PER_DOCUMENT },
      (_, person) => ids[(turn + person) % ids.length]!,
    )
    const { windows } = await openNewDocument(server, people)
    try {
      await whenAllSynced(windows)
      await Promise.all(windows.map((person) => writeText(person, over, counts)))
      await Promise.all(windows.map((person) => person.whenSaved()))
      counts.visits += windows.length
    } finally {
      await closeAll(windows)
    }
  }
}

/** Makes two edits a second at uneven moments. Every eighth deletes the last letters. */
async function writeText({ doc }: OpenDocument, over: AbortSignal, counts: { edits: number }): Promise<void> {
  const text = doc.getText('soak')
  const until = performance.now() + VISIT_MS
  for (let edit = 1; performance.now() < until && !over.aborted; edit++) {
    if (edit % 8 === 0 && text.length > 4) text.delete(text.length - 4, 4)
    else text.insert(text.length, 'x')
    counts.edits += 1
    await sleep(250 + Math.random() * 500)
  }
}

const HOUR_MS = 3_600_000
/** The noise is estimated from means of a minute, because neighbouring samples depend on each other through the garbage collector. */
const MINUTE_MS = 60_000

const soakMetric = (
  name: string,
  unit: string,
  of: (data: SoakData) => number,
  better: 'less' | 'neither' = 'neither',
) => metric<SoakData>(name, unit, of, { better })
const mib = (sample: Sample | undefined): number => (sample ? sample.residentKiB / 1024 : Number.NaN)
const lengthMs = ({ samples }: SoakData): number => samples.at(-1)?.at ?? 0

function report(all: Rounds<SoakParams, SoakData>): SectionDeclaration {
  const { slope, bound } = steepest(all.data.map(({ samples }) => slopeOf(minuteMeans(samples))))
  const hasSlope = Number.isFinite(bound)
  const aims = [
    hasSlope
      ? {
          name: 'slope of resident memory is 0 within noise',
          measured: slope * HOUR_MS,
          limit: bound * HOUR_MS,
          unit: 'MiB an hour',
          sum: 'two-sided 95 % of the noise',
          reason: growthReason(all.data),
        }
      : undefined,
  ]
  return {
    method:
      'Clients in Node, four to a document, use all transports in turn. Each visit of 20 s is to a new document, so as many stay open at all times. The server’s memory is read every 5 s. The slope is that of least squares over means of a minute, ± two-sided 95 % of its noise.',
    tables: [
      figuresTable(
        'Memory of the server',
        all,
        [
          soakMetric('minutes', '', (data) => lengthMs(data) / MINUTE_MS),
          soakMetric('visits', '', ({ visits }) => visits),
          soakMetric('edits', '', ({ edits }) => edits),
          soakMetric('resident at the start', 'MiB', ({ samples }) => mib(samples[0])),
          soakMetric('resident at the end', 'MiB', ({ samples }) => mib(samples.at(-1)), 'less'),
          soakMetric('most resident', 'MiB', ({ samples }) => Math.max(...samples.map(mib)), 'less'),
          { name: 'slope', unit: 'MiB an hour', better: 'less', of: () => slope * HOUR_MS },
          { name: '± noise', unit: 'MiB an hour', of: () => bound * HOUR_MS },
          soakMetric('CPU', '% of a core', cpuShare, 'less'),
        ],
        1,
      ),
    ],
    charts: [
      lineChart(
        'Resident memory of the server',
        { x: { name: 'time', unit: 'min' }, y: { name: 'resident', unit: 'MiB' } },
        all.groupBy(({ round }) => `round ${round}`),
        ({ data: [round] }) => round!.samples.map((sample) => [sample.at / MINUTE_MS, mib(sample)] as const),
      ),
    ],
    aims,
    headlines: [
      {
        what: 'Slope of the server’s memory under visits that come and go',
        ours: hasSlope
          ? `${(slope * HOUR_MS).toFixed(1)} ± ${(bound * HOUR_MS).toFixed(1)} MiB an hour`
          : 'too short to tell',
        aims,
      },
    ],
    notes: [
      hasSlope
        ? undefined
        : 'The run took less than four minutes. Its slope cannot be told from noise, so the aim is neither reached nor missed.',
    ],
  }
}

const steepest = (slopes: readonly Slope[]): Slope => slopes.toSorted((a, b) => b.slope - a.slope)[0]!

/** Says whether memory still grew in the second half, as with a leak, or had levelled off, as with a cache. */
function growthReason(data: readonly SoakData[]): string {
  const { slope, bound } = steepest(
    data.map(({ samples }) => {
      const all = minuteMeans(samples)
      return slopeOf(all.slice(Math.floor(all.length / 2)))
    }),
  )
  const secondHalf = `In the second half alone the slope was ${formatFixed(slope * HOUR_MS)} ± ${formatFixed(bound * HOUR_MS)} MiB an hour`
  if (!Number.isFinite(bound)) return 'Memory grew, and the run was too short to tell whether it goes on.'
  return slope > bound
    ? `${secondHalf}: memory still grew in the end, as it does with a leak.`
    : `${secondHalf}: memory had levelled off, as it does once caches and the garbage collector’s heap are warm.`
}

function cpuShare({ samples }: SoakData): number {
  const [first, last] = [samples[0], samples.at(-1)]
  return first && last ? (100 * (last.cpuMs - first.cpuMs)) / Math.max(1, last.at - first.at) : Number.NaN
}

/** Returns the mean of each whole minute, in MiB. */
function minuteMeans(samples: readonly Sample[]): (readonly [at: number, mib: number])[] {
  const whole = Math.floor(((samples.at(-1)?.at ?? 0) + 1) / MINUTE_MS)
  return Array.from({ length: whole }, (_, minute) => {
    const own = samples.filter(({ at }) => Math.floor(at / MINUTE_MS) === minute)
    const mean = own.reduce((sum, { residentKiB }) => sum + residentKiB, 0) / own.length
    return [(minute + 0.5) * MINUTE_MS, mean / 1024] as const
  })
}
