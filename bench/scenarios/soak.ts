/** People come, write for a while, and go, for half an hour: what does the server keep of it? */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { transports } from '../../lib/transports/registry.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { number } from '../support/options.ts'
import type { Usage } from '../support/proc.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'
import { type Params, type Sample, type Data, reportOf } from './soak-report.ts'

const SAMPLE_MS = 5_000
/** So that what a session that is gone still holds is let go of within the warm-up. */
const SESSION_KEEP_S = 20
const VISIT_MS = 20_000
const PEOPLE_OF_A_DOCUMENT = 4

const ids = [...transports.keys()]

const options = {
  seconds: number('after the warm-up', 1_800, 20, 24 * 3_600),
  warmup: number('seconds before samples count: caches fill, the heap finds its size', 300, 0, 3_600),
  documents: number('open at once, four people in each', 10, 1, 500),
}

export const soak = scenario<typeof options, Params, Data>({
  name: 'soak',
  sentence: 'People come, write and go for half an hour: the slope of the server’s memory.',
  options,
  quick: { seconds: '20', warmup: '0', documents: '5' },
  plan: ({ seconds, documents }) =>
    interleaved(1, ['every transport']).map(({ round, item }) => ({
      subject: 'diptych',
      lane: item,
      params: { seconds, documents },
      round,
    })),
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
        samples.push(sampleOf(performance.now() - startedAt, await server.usage()))
        await sleep(SAMPLE_MS, undefined, { signal: ctx.signal })
      }
    })
    over.abort()
    await visiting
    return { samples, ...counts }
  },
  report: (outcomes) => reportOf(outcomes),
})

const sampleOf = (at: number, { residentKiB, anonymousKiB, cpuMs }: Usage): Sample => ({
  at,
  residentKiB,
  anonymousKiB,
  cpuMs,
})

/** One document after another, each with four people who write and leave; every one is a new document, so that what is alive stays as much. */
async function visitOn(
  { origin, plainOrigin }: { readonly origin: string; readonly plainOrigin: string },
  index: number,
  over: AbortSignal,
  counts: { visits: number; edits: number },
): Promise<void> {
  for (let turn = index; !over.aborted; turn++) {
    const { id, tokens } = await createSharedDocument(plainOrigin)
    const people = Array.from({ length: PEOPLE_OF_A_DOCUMENT }, (_, person) =>
      openDocument({
        url: origin,
        document: id,
        token: tokens.editor,
        transport: ids[(turn + person) % ids.length]!,
        insecure: true,
      }),
    )
    try {
      await Promise.all(people.map(({ whenSynced }) => whenSynced))
      await Promise.all(people.map((person) => write(person, over, counts)))
      await Promise.all(people.map((person) => person.whenSaved()))
      counts.visits += people.length
    } finally {
      await Promise.all(people.map((person) => person.close()))
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
