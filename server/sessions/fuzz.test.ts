import { test } from 'vitest'
import * as Y from 'yjs'
import type { Pace } from './fixtures/network.ts'
import { until, type Window, World } from './fixtures/world.ts'
import { seeded, Tokens, Writer } from './fixtures/writers.ts'

const names = ['ada', 'bob', 'cleo', 'dan']
const STEPS = 250
/** Each found something: text that Yjs tidied up and the store never saw, a link that opened while its line was cut. */
const kept: readonly number[] = [108, 115, 135, 537]
const fresh = [crypto.getRandomValues(new Uint32Array(1))[0]!]

type Step = (writer: Writer & { readonly window: Window }, world: World) => unknown

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const steps: Record<string, { readonly weight: number; readonly run: Step }> = {
  insert: { weight: 50, run: (writer) => writer.insert() },
  delete: { weight: 12, run: (writer) => writer.delete() },
  format: { weight: 12, run: (writer) => writer.format() },
  pause: { weight: 10, run: () => pass(1) },
  cut: { weight: 4, run: ({ window }) => window.network.cut() },
  switch: {
    weight: 6,
    run: ({ window }) => {
      const other = window.transport?.transport === 'sse' ? 'websocket' : 'sse'
      window.switchTransport(other).catch(() => {}) // cut meanwhile, or overtaken by another
    },
  },
  offline: { weight: 2, run: ({ window }) => window.network.offline() },
  online: { weight: 4, run: ({ window }) => window.network.online() },
  restart: { weight: 1, run: (_writer, world) => world.restart() },
}

/** Frames take a random number of turns, in order. */
function randomPace(random: () => number): Pace {
  let before: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turns = Math.floor(random() * 4)
    before = before.then(async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      run()
    })
  }
}

function pick(random: () => number): string {
  const all = Object.entries(steps)
  let left = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0)
  return all.find(([, { weight }]) => (left -= weight) < 0)?.[0] ?? 'insert'
}

test.each([...kept, ...fresh])(
  '[S1] [S3] [S4] [D1] writers at the same places over bad lines, seed %d',
  async (seed) => {
    const random = seeded(seed)
    const world = await World.open()
    const tokens = new Tokens()
    const writers = names.map((name, index) => {
      const transport = index % 2 === 0 ? 'websocket' : 'sse'
      const window = world.window(name, { transport, pace: randomPace(seeded(seed + index + 1)) })
      return Object.assign(new Writer(name, window, tokens, random), { window })
    })
    const story: string[] = []
    try {
      for (let count = 0; count < STEPS; count++) {
        const writer = writers[Math.floor(random() * writers.length)]!
        const step = pick(random)
        story.push(`${writer.name} ${step}`)
        await steps[step]!.run(writer, world)
      }
      await calm(writers.map(({ window }) => window))
      const replicas = Object.fromEntries(writers.map(({ name, window }) => [name, window.doc]))
      tokens.check({ ...replicas, store: await world.stored() })
    } catch (error) {
      throw new Error(`Seed ${seed}, after ${story.join(', ')}: ${String(error)}`, { cause: error })
    }
  },
)

/** All lines are good again: everything is saved, and has come to everybody. */
async function calm(windows: readonly Window[]): Promise<void> {
  for (const { network } of windows) network.online()
  await Promise.all(windows.map((window) => window.whenSaved()))
  const [first, ...others] = windows.map(({ doc }) => doc)
  const same = (doc: Y.Doc) => Y.equalSnapshots(Y.snapshot(doc), Y.snapshot(first!))
  await until(
    () => others.every(same) && windows.every(({ status }) => status.get().unsaved === 0),
    () => windows.map(({ doc }) => doc.getXmlFragment('default').toJSON()).join('\n'),
  )
}
