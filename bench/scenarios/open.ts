/** A long document is opened: by a client without a browser, and in the editor. */
import { tracesFolder } from '../../server/fixtures/traces.ts'
import type { DocumentAddress } from '../crowd/crowd-protocol.ts'
import { createDocument, programOf, serverOf, settings } from '../crowd/measured-servers.ts'
import { joinDocument } from '../open/join-document.ts'
import { watchOpening } from '../open/watch-opening.ts'
import { seedFolderOnce, startSeededServer } from '../open/seeded-folder.ts'
import { resident } from '../crowd/crowd-metrics.ts'
import { plain } from '../report/figures.ts'
import { bars, metric, ratio, type Rounds, type SectionDeclaration, table } from '../report/metrics.ts'
import { becauseBusy } from '../report/reasons.ts'
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
  /** The least that any of them had. */
  readonly letters: number
  readonly coldCpuMs: number
  /** Of one of them. */
  readonly warmCpuMs: number
  readonly residentKiB: number
}

/** ms since navigation. */
interface Shown {
  readonly painted: number
  readonly editable: number
}

interface BrowserData {
  readonly cold: Shown
  readonly warm: Shown
}

type OpenParams = { readonly edits: number }

const WARM_JOINS = 5
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
  },
  quick: { edits: '10000' },
  pages: true,
  plan: ({ edits }) => (tracesFolder ? measured.map((trial) => ({ ...trial, params: { edits } })) : []),
  // The first of each subject writes the whole paper.
  estimate: ({ round, params: { edits } }) => 15 + (round === 1 ? edits / 4_000 : 0),
  async run({ subject, lane, params: { edits } }, ctx): Promise<HeadlessData | BrowserData> {
    return lane === 'browser' ? inBrowser(ctx, edits) : headless(ctx, subject, edits)
  },
  report,
})

async function headless(ctx: Context, subject: string, edits: number): Promise<HeadlessData> {
  const measured = serverOf({ subject, lane: 'websocket' })
  const seeded = await seedFolderOnce(ctx, measured, edits)
  const server = await startSeededServer(ctx, seeded, measured.command())
  await untilQuiet()
  const joinAt = (place: DocumentAddress) => joinDocument[subject]!(server.plainOrigin, place)
  const join = () => joinAt(seeded.place)
  // Both programs have done it before, with another document.
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

async function inBrowser(ctx: Context, edits: number): Promise<BrowserData> {
  const seeded = await seedFolderOnce(ctx, serverOf({ subject: 'diptych', lane: 'websocket' }), edits)
  const server = await startSeededServer(ctx, seeded, diptych({ pages: true }))
  const browser = await launchBrowser(ctx)
  await untilQuiet()
  const visit = async () => {
    const context = await freshContext(browser, { serviceWorkers: 'block', reducedMotion: 'no-preference' })
    await context.addInitScript(watchOpening, SHOWN)
    const page = await context.newPage()
    await page.goto(`${server.origin}/d/${seeded.place.document}#token=${seeded.place.token}`)
    await page.waitForFunction(() => window.openedAt !== undefined, undefined, { timeout: OPENING_MS })
    return page.evaluate(() => window.openedAt!)
  }
  return ctx.measure(async () => ({ cold: await visit(), warm: await visit() }))
}

type Headless = Rounds<OpenParams, HeadlessData>
type InBrowser = Rounds<OpenParams, BrowserData>

/** How long a join takes, and what of it is the server's processor. */
const figures = {
  cold: {
    time: metric<HeadlessData>('cold', 'ms', ({ coldMs }) => coldMs, { digits: 0 }),
    cpu: metric<HeadlessData>('server CPU, cold', 'ms', ({ coldCpuMs }) => coldCpuMs, { digits: 0 }),
  },
  warm: {
    time: metric<HeadlessData>('warm', 'ms', ({ warmMs }) => overRounds(warmMs).median, { digits: 0 }),
    cpu: metric<HeadlessData>('server CPU, warm', 'ms', ({ warmCpuMs }) => warmCpuMs, { digits: 0 }),
  },
} as const
const both = ['cold', 'warm'] as const

const shown = (which: 'cold' | 'warm', what: keyof Shown, name: string) =>
  metric<BrowserData>(name, 'ms', (data) => data[which][what], { digits: 0 })

function report(all: Rounds<OpenParams, HeadlessData | BrowserData>): SectionDeclaration {
  const edits = plain(all.params!.edits, 0)
  const headless = all.where<HeadlessData>({ lane: 'headless' })
  const pages = all.where<BrowserData>({ lane: 'browser' })
  const programs = headless.rows('subject', ['diptych', 'hocuspocus'], programOf)
  const [ours, theirs] = headless.split('subject', ['diptych', 'hocuspocus'])
  const busy = becauseBusy(all.where({ subject: 'diptych' }))
  const aims = both.map((which) => aimOf(which, ours, theirs, busy))
  const joined = (which: 'cold' | 'warm', what: string) => {
    const { time } = figures[which]
    const peer = theirs.words(time, 'Hocuspocus')
    return {
      what,
      ours: peer && ours.words(time),
      beside: [peer],
      aims: [aims[both.indexOf(which)]],
      of: { lane: 'headless' },
    }
  }
  const [painted, editable] = (['painted', 'editable'] as const).map((what) =>
    pages.words(shown('cold', what, '')),
  )
  return {
    method: `The recorded writing of a paper, ${edits} edits, written into each server one by one. Cold: nobody has opened it since the server started. Warm: somebody has it open. Without a browser: from the first packet until the text is in a Y.Doc, Diptych by its own client, Hocuspocus by the least that a client can do.`,
    tables: [
      table('Without a browser', programs, [
        figures.cold.time,
        figures.warm.time,
        figures.cold.cpu,
        figures.warm.cpu,
        resident,
      ]),
      table(
        'In the editor, in a browser that has never been here',
        pages.isEmpty ? [] : both.map((name) => ({ name })),
        [
          {
            ...shown('cold', 'painted', 'text painted'),
            of: ({ name }) => shown(name, 'painted', '').of(pages),
          },
          {
            ...shown('cold', 'editable', 'editable'),
            of: ({ name }) => shown(name, 'editable', '').of(pages),
          },
        ],
        { head: 'Diptych', note: 'Since the navigation, page and scripts included.' },
      ),
    ],
    charts: [untilThere(ours, theirs, pages)],
    aims,
    headlines: theirs.isEmpty
      ? []
      : [
          joined('cold', `A document of ${edits} edits joined without a browser, nobody having it open`),
          joined('warm', 'The same, somebody having it open'),
          {
            what: 'The same in the editor of a browser that has never been here: text painted, editable',
            ours: painted && `${painted}, ${editable}`,
            of: { lane: 'browser' },
          },
        ],
    notes: [settings['hocuspocus'], unlike(headless)],
  }
}

function untilThere(ours: Headless, theirs: Headless, pages: InBrowser) {
  const joined = both.map((which) => ({
    name: `Without a browser, ${which}`,
    of: (rounds: Headless) => figures[which].time.of(rounds),
    inEditor: null,
  }))
  const inEditor = both.flatMap((which) =>
    (['painted', 'editable'] as const).map((what) => ({
      name: `In the editor, ${which}: ${what}`,
      of: () => null,
      inEditor: shown(which, what, ''),
    })),
  )
  return bars(
    'Until the text is there',
    [...joined, ...inEditor],
    [
      { name: 'Diptych', of: (row) => row.inEditor?.of(pages) ?? row.of(ours) },
      { name: 'Hocuspocus', of: (row) => row.of(theirs) },
    ],
    { unit: 'ms' },
  )
}

const aimOf = (which: 'cold' | 'warm', ours: Headless, theirs: Headless, busy: string) => ({
  name: `${which === 'cold' ? 'Cold' : 'Warm'} join, beside Hocuspocus`,
  measured: ratio(figures[which].time, ours, theirs),
  limit: 0.5,
  unit: '×',
  reason: [
    `Of Diptych’s ${ours.words(figures[which].time)} its server’s processor takes ${ours.words(figures[which].cpu)}; the rest is the way there and the client’s own building of the text, which Hocuspocus’s time has in it, too.`,
    busy,
  ],
})

/** Times of different texts are not compared in silence. */
function unlike({ data }: Headless): string | undefined {
  const letters = new Set(data.map((one) => one.letters))
  return letters.size > 1 ? `The texts are not alike: ${[...letters].join(', ')} letters.` : undefined
}
