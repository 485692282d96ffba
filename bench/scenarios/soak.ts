/** People come, write for a while, and go, for half an hour: what does the server keep of it? */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import { whenAllSynced, closeAll, openNewDocument } from '../clients/own-clients.ts'
import { plain } from '../report/figures.ts'
import { figuresTable, metric, type Rounds, type SectionDeclaration } from '../report/metrics.ts'
import { number } from '../support/options.ts'
import type { ProcessUsage } from '../support/process-usage.ts'
import { scenario } from '../support/scenario.ts'
import { diptych, type ServerProcess } from '../support/server.ts'
import { type Slope, slopeOf } from '../support/student-t.ts'

const SAMPLE_MS = 5_000
/** So that what a session that is gone still holds is let go of within the warm-up. */
const SESSION_KEEP_S = 20
const VISIT_MS = 20_000
const PEOPLE_OF_A_DOCUMENT = 4

const ids = [...transports.keys()]

type SoakParams = {
  readonly seconds: number
  readonly documents: number
}

interface Sample extends Pick<ProcessUsage, 'residentKiB' | 'cpuMs'> {
  /** ms since the warm-up was over. */
  readonly at: number
}

interface SoakData {
  readonly samples: readonly Sample[]
  readonly visits: number
  readonly edits: number
}

const options = {
  seconds: number('after the warm-up', 1_800, 20, 24 * 3_600),
  warmup: number('seconds before samples count: caches fill, the heap finds its size', 300, 0, 3_600),
  documents: number('open at once, four people in each', 10, 1, 500),
}

export const soak = scenario<typeof options, SoakParams, SoakData>({
  name: 'soak',
  sentence: 'People come, write and go for half an hour: the slope of the server’s memory.',
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
      Array.from({ length: documents }, (_, index) => visitOn(server, index, over.signal, counts)),
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

/** One document after another, each with four people who write and leave; every one is a new document, so that what is alive stays as much. */
async function visitOn(
  server: ServerProcess,
  index: number,
  over: AbortSignal,
  counts: { visits: number; edits: number },
): Promise<void> {
  for (let turn = index; !over.aborted; turn++) {
    const people = Array.from(
      { length: PEOPLE_OF_A_DOCUMENT },
      (_, person) => ids[(turn + person) % ids.length]!,
    )
    const { windows } = await openNewDocument(server, people)
    try {
      await whenAllSynced(windows)
      await Promise.all(windows.map((person) => write(person, over, counts)))
      await Promise.all(windows.map((person) => person.whenSaved()))
      counts.visits += windows.length
    } finally {
      await closeAll(windows)
    }
  }
}

/** Two letters a second, each at an uneven moment; every eighth takes the last ones back. */
async function write({ doc }: OpenDocument, over: AbortSignal, counts: { edits: number }): Promise<void> {
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
/** What is collected a little later makes samples next to each other alike: the noise is judged by means of a minute each. */
const MINUTE_MS = 60_000

const figure = (
  name: string,
  unit: string,
  of: (data: SoakData) => number,
  better: 'less' | 'neither' = 'neither',
) => metric<SoakData>(name, unit, of, { better })
const mib = (sample: Sample | undefined): number => (sample ? sample.residentKiB / 1024 : Number.NaN)
const lengthMs = ({ samples }: SoakData): number => samples.at(-1)?.at ?? 0

function report(all: Rounds<SoakParams, SoakData>): SectionDeclaration {
  const { slope, bound } = steepest(all.data.map(({ samples }) => slopeOf(minutes(samples))))
  const isTold = Number.isFinite(bound)
  const aims = [
    isTold
      ? {
          name: 'slope of resident memory is 0 within noise',
          measured: slope * HOUR_MS,
          limit: bound * HOUR_MS,
          unit: 'MiB an hour',
          sum: 'two-sided 95 % of the noise',
          reason: becauseGrowing(all.data),
        }
      : undefined,
  ]
  return {
    method:
      'Clients in Node, four to a document, by all transports in turn: each visit of 20 s is to a new document, so that what is alive stays as much. The server’s memory is read every 5 s. The slope is that of least squares over means of a minute, ± what is two-sided 95 % of its noise.',
    tables: [
      figuresTable(
        'Memory of the server',
        all,
        [
          figure('minutes', '', (data) => lengthMs(data) / MINUTE_MS),
          figure('visits', '', ({ visits }) => visits),
          figure('edits', '', ({ edits }) => edits),
          figure('resident at the start', 'MiB', ({ samples }) => mib(samples[0])),
          figure('resident at the end', 'MiB', ({ samples }) => mib(samples.at(-1)), 'less'),
          figure('most resident', 'MiB', ({ samples }) => Math.max(...samples.map(mib)), 'less'),
          { name: 'slope', unit: 'MiB an hour', better: 'less', of: () => slope * HOUR_MS },
          { name: '± noise', unit: 'MiB an hour', of: () => bound * HOUR_MS },
          figure('CPU', '% of a core', cpuShare, 'less'),
        ],
        1,
      ),
    ],
    charts: [
      {
        kind: 'lines',
        title: 'Resident memory of the server',
        x: { name: 'time', unit: 'min' },
        y: { name: 'resident', unit: 'MiB' },
        series: all.outcomes.map(({ trial, data }) => ({
          name: `round ${trial.round}`,
          points: data.samples.map((sample) => [sample.at / MINUTE_MS, mib(sample)] as const),
        })),
      },
    ],
    aims,
    headlines: [
      {
        what: 'Slope of the server’s memory under visits that come and go',
        ours: isTold
          ? `${(slope * HOUR_MS).toFixed(1)} ± ${(bound * HOUR_MS).toFixed(1)} MiB an hour`
          : 'too short to tell',
        aims,
      },
    ],
    notes: [
      isTold
        ? undefined
        : 'Fewer than four minutes: the slope cannot be told from noise, so its aim is neither reached nor missed.',
    ],
  }
}

const steepest = (slopes: readonly Slope[]): Slope => slopes.toSorted((a, b) => b.slope - a.slope)[0]!

/** Whether it still grows in the end, and by what part of the memory, which is what a leak would do and a cache would not. */
function becauseGrowing(data: readonly SoakData[]): string {
  const { slope, bound } = steepest(
    data.map(({ samples }) => {
      const all = minutes(samples)
      return slopeOf(all.slice(Math.floor(all.length / 2)))
    }),
  )
  const words = `In the second half alone it was ${plain(slope * HOUR_MS)} ± ${plain(bound * HOUR_MS)} MiB an hour`
  if (!Number.isFinite(bound)) return 'It grew, and too briefly to tell whether it goes on.'
  return slope > bound
    ? `${words}: it still grew in the end, as memory does that is kept for good.`
    : `${words}: it had levelled off, as caches and the garbage collector’s heap do once they are warm.`
}

function cpuShare({ samples }: SoakData): number {
  const [first, last] = [samples[0], samples.at(-1)]
  return first && last ? (100 * (last.cpuMs - first.cpuMs)) / Math.max(1, last.at - first.at) : Number.NaN
}

/** Means of a minute each, in MiB; one that is not whole is left out. */
function minutes(samples: readonly Sample[]): (readonly [at: number, mib: number])[] {
  const whole = Math.floor(((samples.at(-1)?.at ?? 0) + 1) / MINUTE_MS)
  return Array.from({ length: whole }, (_, minute) => {
    const own = samples.filter(({ at }) => Math.floor(at / MINUTE_MS) === minute)
    const mean = own.reduce((sum, { residentKiB }) => sum + residentKiB, 0) / own.length
    return [(minute + 0.5) * MINUTE_MS, mean / 1024] as const
  })
}
