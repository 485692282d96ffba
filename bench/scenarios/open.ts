/** A long document is opened: by a client without a browser, and in the editor. */
import { tracesFolder } from '../../server/fixtures/traces.ts'
import type { Place } from '../crowd/dialect.ts'
import { makePlace, subjectOf } from '../crowd/subjects.ts'
import { joins } from '../open/joining.ts'
import { watchOpening } from '../open/page.ts'
import { seededOnce, startSeeded } from '../open/seeded.ts'
import { launch } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { interleaved, scenario } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'
import { type Headless, type InBrowser, type Measured, report } from './open-report.ts'

const WARM_JOINS = 5
const QUIET_MS = 5_000
/** Of letters on screen before the text counts as shown: more than any page has without one. */
const SHOWN = 1_000
const OPENING_MS = 120_000

const measured = [
  { subject: 'diptych', lane: 'headless' },
  { subject: 'hocuspocus', lane: 'headless' },
  { subject: 'diptych', lane: 'browser' },
] as const

export const opening = scenario({
  name: 'open',
  sentence: 'A document of 260,000 edits is opened, cold and warm; needs TRACES_DIR.',
  options: {
    edits: number('edits of the recorded paper, of 259,778', 259_778, 1_000, 259_778),
    rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
  },
  quick: { rounds: '1', edits: '10000' },
  pages: true,
  plan: ({ rounds, edits }) =>
    tracesFolder
      ? interleaved(rounds, measured).map(({ round, item }) => ({ ...item, params: { edits }, round }))
      : [],
  // The first of each subject writes the whole paper.
  estimate: ({ round, params: { edits } }) => 15 + (round === 1 ? edits / 4_000 : 0),
  async run({ subject, lane, params: { edits } }, ctx): Promise<Measured> {
    return lane === 'browser' ? inBrowser(ctx, edits) : headless(ctx, subject, edits)
  },
  report,
})

async function headless(ctx: Context, subject: string, edits: number): Promise<Headless> {
  const whom = subjectOf({ subject, lane: 'websocket' })
  const seeded = await seededOnce(ctx, whom, edits)
  const server = await startSeeded(ctx, seeded, whom.command())
  await untilQuiet(QUIET_MS)
  const joinAt = (place: Place) => joins[subject]!(server.plainOrigin, place)
  const join = () => joinAt(seeded.place)
  // Both programs have done it before, with another document.
  for (let count = 0; count < WARM_JOINS; count++)
    await (await joinAt({ ...(await makePlace(server, whom.dialect)), author: 1 })).leave()
  return ctx.measure(async () => {
    const before = await server.usage()
    const first = await join()
    const after = await server.usage()
    const warmMs: number[] = []
    let { letters } = first
    for (let count = 0; count < WARM_JOINS; count++) {
      const { ms, letters: again, leave } = await join()
      warmMs.push(ms)
      letters = Math.min(letters, again)
      await leave()
    }
    const warmCpuMs = ((await server.usage()).cpuMs - after.cpuMs) / WARM_JOINS
    await first.leave()
    return {
      kind: 'headless',
      coldMs: first.ms,
      warmMs,
      letters,
      coldCpuMs: after.cpuMs - before.cpuMs,
      warmCpuMs,
      residentKiB: after.residentKiB,
    }
  })
}

async function inBrowser(ctx: Context, edits: number): Promise<InBrowser> {
  const seeded = await seededOnce(ctx, subjectOf({ subject: 'diptych', lane: 'websocket' }), edits)
  const server = await startSeeded(ctx, seeded, diptych({ pages: true }))
  const browser = await launch()
  ctx.defer(() => browser.close())
  await untilQuiet(QUIET_MS)
  const visit = async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, serviceWorkers: 'block' })
    await context.addInitScript(watchOpening, SHOWN)
    const page = await context.newPage()
    await page.goto(`${server.origin}/d/${seeded.place.document}#token=${seeded.place.token}`)
    await page.waitForFunction(() => window.openedAt !== undefined, undefined, { timeout: OPENING_MS })
    return page.evaluate(() => window.openedAt!)
  }
  return ctx.measure(async () => ({ kind: 'browser', cold: await visit(), warm: await visit() }))
}
