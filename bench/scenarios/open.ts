/** Opens a long document by a client without a browser, and in the editor. */
import { tracesFolder } from '../../server/fixtures/traces.ts'
import type { DocumentAddress } from '../crowd/crowd-protocol.ts'
import { createDocument, programOf, serverOf, settings } from '../crowd/measured-servers.ts'
import { joinDocument } from '../open/join-document.ts'
import { watchOpening } from '../open/watch-opening.ts'
import { seedFolderOnce, startSeededServer } from '../open/seeded-folder.ts'
import { resident } from '../crowd/crowd-metrics.ts'
import { formatFixed } from '../report/format-figures.ts'
import { metric, ratio, type Rounds } from '../report/metrics.ts'
import { type AimDeclaration, besidePeers, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { busyReason } from '../report/miss-reasons.ts'
import { freshContext, launchBrowser } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { diptych } from '../support/server.ts'
import { overRounds } from '../support/stats.ts'

interface HeadlessData {
  readonly coldMs: number
  readonly warmMs: readonly number[]
  /** The fewest letters that any join received. */
  readonly letters: number
  readonly coldCpuMs: number
  /** The processor time of the server for one warm join, in ms. */
  readonly warmCpuMs: number
  readonly residentKiB: number
}

/** Milliseconds since navigation. */
interface PageTimes {
  readonly painted: number
  readonly editable: number
}

interface BrowserData {
  readonly cold: PageTimes
  readonly warm: PageTimes
}

type OpenParams = { readonly edits: number }

const WARM_JOINS = 5
/** The text counts as shown with this many letters on screen, which is more than a page has without a text. */
const SHOWN_LETTERS = 1_000
const OPENED_WITHIN_MS = 120_000

const measured = [
  { subject: 'diptych', lane: 'headless' },
  { subject: 'hocuspocus', lane: 'headless' },
  { subject: 'diptych', lane: 'browser' },
] as const

export const openScenario = scenario({
  name: 'open',
  sentence: 'Opens a document of 260,000 edits, cold and warm; needs TRACES_DIR.',
  options: {
    edits: number('edits of the recorded paper, which has 259,778', 259_778, 1_000, 259_778),
  },
  quick: { edits: '10000' },
  pages: true,
  plan: ({ edits }) => (tracesFolder ? measured.map((trial) => ({ ...trial, params: { edits } })) : []),
  // The first trial of each subject writes the paper into the server.
  estimate: ({ round, params: { edits } }) => 15 + (round === 1 ? edits / 4_000 : 0),
  async run({ subject, lane, params: { edits } }, ctx): Promise<HeadlessData | BrowserData> {
    return lane === 'browser' ? openInBrowser(ctx, edits) : joinHeadless(ctx, subject, edits)
  },
  report,
})

async function joinHeadless(ctx: Context, subject: string, edits: number): Promise<HeadlessData> {
  const measured = serverOf({ subject, lane: 'websocket' })
  const seeded = await seedFolderOnce(ctx, measured, edits)
  const server = await startSeededServer(ctx, seeded, measured.command())
  await untilQuiet()
  const joinAt = (place: DocumentAddress) => joinDocument[subject]!(server.plainOrigin, place)
  const join = () => joinAt(seeded.place)
  // Warms up server and client with other documents.
  for (let count = 0; count < WARM_JOINS; count++)
    await (await joinAt({ ...(await createDocument(server, measured.protocol)), author: 1 })).leave()
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
      coldMs: first.ms,
      warmMs,
      letters,
      coldCpuMs: after.cpuMs - before.cpuMs,
      warmCpuMs,
      residentKiB: after.residentKiB,
    }
  })
}

async function openInBrowser(ctx: Context, edits: number): Promise<BrowserData> {
  const seeded = await seedFolderOnce(ctx, serverOf({ subject: 'diptych', lane: 'websocket' }), edits)
  const server = await startSeededServer(ctx, seeded, diptych({ pages: true }))
  const browser = await launchBrowser(ctx)
  await untilQuiet()
  const visit = async () => {
    const context = await freshContext(browser, { serviceWorkers: 'block', reducedMotion: 'no-preference' })
    await context.addInitScript(watchOpening, SHOWN_LETTERS)
    const page = await context.newPage()
    await page.goto(`${server.origin}/d/${seeded.place.document}#token=${seeded.place.token}`)
    await page.waitForFunction(() => window.openedAt !== undefined, undefined, { timeout: OPENED_WITHIN_MS })
    return page.evaluate(() => window.openedAt!)
  }
  return ctx.measure(async () => ({ cold: await visit(), warm: await visit() }))
}

type Headless = Rounds<OpenParams, HeadlessData>
type Pages = Rounds<OpenParams, BrowserData>

/** The time of a join, and the server's processor time in it. */
const joinFigures = {
  cold: {
    time: metric<HeadlessData>('cold', 'ms', ({ coldMs }) => coldMs, { digits: 0 }),
    cpu: metric<HeadlessData>('server CPU, cold', 'ms', ({ coldCpuMs }) => coldCpuMs, { digits: 0 }),
  },
  warm: {
    time: metric<HeadlessData>('warm', 'ms', ({ warmMs }) => overRounds(warmMs).median, { digits: 0 }),
    cpu: metric<HeadlessData>('server CPU, warm', 'ms', ({ warmCpuMs }) => warmCpuMs, { digits: 0 }),
  },
} as const
const kinds = ['cold', 'warm'] as const
type JoinKind = (typeof kinds)[number]

const moments = ['painted', 'editable'] as const
const pageTime = (which: JoinKind, moment: keyof PageTimes) =>
  metric<BrowserData>(moment === 'painted' ? 'text painted' : moment, 'ms', (data) => data[which][moment], {
    digits: 0,
  })

function report(all: Rounds<OpenParams, HeadlessData | BrowserData>): SectionDeclaration {
  const edits = formatFixed(all.params!.edits, 0)
  const headless = all.where<HeadlessData>({ lane: 'headless' })
  const pages = all.where<BrowserData>({ lane: 'browser' })
  const programs = headless.rows('subject', ['diptych', 'hocuspocus'], programOf)
  const [ours, theirs] = headless.split('subject', ['diptych', 'hocuspocus'])
  const busy = busyReason(all.where({ subject: 'diptych' }))
  const aims = kinds.map((which) => aimOf(which, ours, theirs, busy))
  const joinHeadline = (which: JoinKind, what: string) => ({
    what,
    ...besidePeers(joinFigures[which].time, ours, { Hocuspocus: theirs }),
    aims: [aims[kinds.indexOf(which)]],
    of: { lane: 'headless' },
  })
  const [painted, editable] = moments.map((moment) => pages.medianText(pageTime('cold', moment)))
  return {
    method: `The recorded ${edits} edits of a paper are written into each server one by one. Cold: nobody has opened the document since the server started. Warm: somebody has it open. Without a browser: from the first packet until the text is in a Y.Doc, with Diptych’s own client, and with a minimal client of Hocuspocus.`,
    tables: [
      table('Without a browser', programs, [
        joinFigures.cold.time,
        joinFigures.warm.time,
        joinFigures.cold.cpu,
        joinFigures.warm.cpu,
        resident,
      ]),
      table(
        'In the editor, in a browser that has never been here',
        pages.isEmpty ? [] : kinds.map((name) => ({ name })),
        moments.map((moment) => ({
          ...pageTime('cold', moment),
          of: ({ name }) => pageTime(name, moment).of(pages),
        })),
        { head: 'Diptych', note: 'Since the navigation, including page and scripts.' },
      ),
    ],
    charts: [openingChart(ours, theirs, pages)],
    aims,
    headlines: [
      joinHeadline('cold', `A document of ${edits} edits joined without a browser, nobody having it open`),
      joinHeadline('warm', 'The same, somebody having it open'),
      {
        what: 'The same in the editor of a browser that has never been here: text painted, editable',
        ours: theirs.isEmpty ? undefined : painted && `${painted}, ${editable}`,
        of: { lane: 'browser' },
      },
    ],
    notes: [settings['hocuspocus'], textDifference(headless)],
  }
}

function openingChart(ours: Headless, theirs: Headless, pages: Pages) {
  const joins = kinds.map((which) => ({
    name: `Without a browser, ${which}`,
    of: (rounds: Headless) => joinFigures[which].time.of(rounds),
    inEditor: null,
  }))
  const inEditor = kinds.flatMap((which) =>
    moments.map((moment) => ({
      name: `In the editor, ${which}: ${moment}`,
      of: () => null,
      inEditor: pageTime(which, moment),
    })),
  )
  return barChart(
    'Until the text is there',
    [...joins, ...inEditor],
    [
      { name: 'Diptych', of: (row) => row.inEditor?.of(pages) ?? row.of(ours) },
      { name: 'Hocuspocus', of: (row) => row.of(theirs) },
    ],
    { unit: 'ms' },
  )
}

const aimOf = (which: JoinKind, ours: Headless, theirs: Headless, busy: string): AimDeclaration => ({
  name: `${which === 'cold' ? 'Cold' : 'Warm'} join, beside Hocuspocus`,
  measured: ratio(joinFigures[which].time, ours, theirs),
  limit: 0.5,
  unit: '×',
  reason: [
    `Of Diptych’s ${ours.medianText(joinFigures[which].time)} its server’s processor takes ${ours.medianText(joinFigures[which].cpu)}. The rest is the way between them and the client’s work to build the text, which Hocuspocus’s time includes as well.`,
    busy,
  ],
})

/** Warns that times of different texts are compared. */
function textDifference({ data }: Headless): string | undefined {
  const letters = new Set(data.map((one) => one.letters))
  return letters.size > 1 ? `The texts differ: they have ${[...letters].join(', ')} letters.` : undefined
}
