import { test } from 'vitest'
import * as Y from 'yjs'
import { FakeBrowser } from '../../lib/fixtures/fake-browser.ts'
import type { DeliverySchedule } from './fixtures/network.ts'
import { type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { WrittenTokens, TokenWriter } from './fixtures/token-writers.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'

const names = ['ada', 'bob', 'cleo', 'dan']
const STEPS = 250
/** Each found a bug: text that Yjs cleaned up and the store never got, a link that opened while its line was cut. */
const keptSeeds: readonly number[] = [108, 115, 135, 537]
const keptLaggingSeeds: readonly number[] = []
/** After an edit that was refused behind an attach, the server ignored all later edits. */
const keptNeighbourSeeds: readonly number[] = [447392392]
/** The number of seeds is FUZZ_RUNS if that is set, for a long run. */
const freshSeeds = [...crypto.getRandomValues(new Uint32Array(Number(process.env['FUZZ_RUNS'] ?? 1)))]

type RunStep = (writer: TokenWriter & { readonly window: FixtureWindow }, fixture: SessionFixture) => unknown

const passTime = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const steps: Record<string, { readonly weight: number; readonly run: RunStep }> = {
  insert: { weight: 50, run: (writer) => writer.insert() },
  delete: { weight: 12, run: (writer) => writer.delete() },
  format: { weight: 12, run: (writer) => writer.format() },
  pause: { weight: 10, run: () => passTime(1) },
  cut: { weight: 4, run: ({ window }) => window.network.cut() },
  switch: {
    weight: 6,
    run: ({ window }) => {
      const other = window.transport?.transport === 'sse' ? 'websocket' : 'sse'
      window.switchTransport(other).catch(() => {}) // cut meanwhile, or overtaken by another link
    },
  },
  offline: { weight: 2, run: ({ window }) => window.network.offline() },
  online: { weight: 4, run: ({ window }) => window.network.online() },
  restart: { weight: 1, run: (_writer, fixture) => fixture.restart() },
}

/** Each frame takes a random number of turns; they keep their order. */
function randomSchedule(random: () => number): DeliverySchedule {
  let before: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turns = Math.floor(random() * 4)
    before = before.then(async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      run()
    })
  }
}

function pickStep(random: () => number): string {
  const all = Object.entries(steps)
  let left = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0)
  return all.find(([, { weight }]) => (left -= weight) < 0)?.[0] ?? 'insert'
}

type RunAuthor = TokenWriter & { readonly window: FixtureWindow }

/** A run whose seed decides everything that happens. */
class SeededRun {
  readonly fixture: SessionFixture
  readonly authors: RunAuthor[] = []
  readonly log: string[] = []
  readonly random: () => number
  readonly #seed: number
  readonly #tokens = new WrittenTokens()

  constructor(seed: number, fixture: SessionFixture) {
    this.#seed = seed
    this.random = createSeededRandom(seed).next
    this.fixture = fixture
  }

  join(name: string, browser?: FakeBrowser): RunAuthor {
    const count = this.authors.length
    const transport = count % 2 === 0 ? 'websocket' : 'sse'
    const schedule = randomSchedule(createSeededRandom(this.#seed + count + 1).next)
    // Windows of one browser are neighbours if they belong to one person.
    const person = browser ? 'ada' : name
    const window = this.fixture.openWindow(person, { transport, schedule, ...(browser && { browser }) })
    const author = Object.assign(new TokenWriter(name, window, this.#tokens, this.random), { window })
    this.authors.push(author)
    return author
  }

  async step(): Promise<void> {
    const author = this.authors[Math.floor(this.random() * this.authors.length)]!
    const step = pickStep(this.random)
    this.log.push(`${author.name} ${step}`)
    await steps[step]!.run(author, this.fixture)
  }

  async end(): Promise<void> {
    await waitUntilSynced(this.authors.map(({ window }) => window))
    const replicas = Object.fromEntries(this.authors.map(({ name, window }) => [name, window.doc]))
    this.#tokens.check({ ...replicas, store: await this.fixture.readStored() })
  }
}

async function runSeed(
  seed: number,
  act: (run: SeededRun) => Promise<void>,
  limits: Parameters<typeof SessionFixture.open>[0] = {},
): Promise<void> {
  const run = new SeededRun(seed, await SessionFixture.open(limits))
  try {
    await act(run)
    await run.end()
  } catch (error) {
    throw new Error(`Seed ${seed}, after ${run.log.join(', ')}: ${String(error)}`, { cause: error })
  }
}

test.each([...keptSeeds, ...freshSeeds])(
  '[S1] [S3] [S4] [D1] writers at the same places over bad lines, seed %d',
  (seed) =>
    runSeed(seed, async (run) => {
      for (const name of names) run.join(name)
      for (let count = 0; count < STEPS; count++) await run.step()
    }),
)

test.each([...keptLaggingSeeds, ...freshSeeds])(
  '[S6] readers that always lag, and receive what they missed merged, seed %d',
  (seed) =>
    runSeed(
      seed,
      async (run) => {
        for (const name of names) run.join(name)
        for (let count = 0; count < STEPS; count++) await run.step()
      },
      { maxLagBytes: 500 },
    ),
)

test.each([...keptNeighbourSeeds, ...freshSeeds])(
  '[W2] three windows of one browser, of which one crashes, and two others, seed %d',
  (seed) =>
    runSeed(seed, async (run) => {
      const { authors } = run
      const browser = new FakeBrowser(randomSchedule(createSeededRandom(seed).next))
      for (const name of ['ada', 'adb', 'adc']) run.join(name, browser)
      for (const name of ['bob', 'cleo']) run.join(name)
      await Promise.all(authors.map(({ window }) => window.whenSynced))
      await waitUntil(() => browser.meetingCount === 3)
      for (let count = 0; count < STEPS / 2; count++) await run.step()
      const [{ name, window }] = authors.splice(Math.floor(run.random() * 3), 1) as [RunAuthor]
      window.crash()
      run.log.push(`${name} crashes`)
      run.join('add', browser)
      for (let count = 0; count < STEPS / 2; count++) await run.step()
    }),
)

/** All lines work again: everything is saved, and has reached everybody. */
async function waitUntilSynced(windows: readonly FixtureWindow[]): Promise<void> {
  for (const { network } of windows) network.online()
  await Promise.all(windows.map((window) => window.whenSaved()))
  const [first, ...others] = windows.map(({ doc }) => doc)
  const same = (doc: Y.Doc) => Y.equalSnapshots(Y.snapshot(doc), Y.snapshot(first!))
  await waitUntil(
    () => others.every(same) && windows.every(({ status }) => status.get().unsaved === 0),
    () =>
      windows
        .map(({ doc, status }) => `${status.get().unsaved} ${doc.getXmlFragment('default').toJSON()}`)
        .join('\n'),
  )
}
