/** The windows that keystrokes are measured in: one is typed into, the others show it. */
import type { Page } from '@playwright/test'
import type { Scope } from './context.ts'
import type { LaneName } from './lanes.ts'
import type { ServerCommand, ServerProcess } from './server.ts'

/** One edit in the window that is typed into. Moments are on the browser's clock, 0 until they come. */
export interface WrittenEdit {
  /** How far its author got by it: it grows with each edit. */
  readonly clock: number
  /** The document had the letter; for the relay: the page heard of the input. */
  readonly edited: number
  /** Right before its frame was handed to the transport. */
  sent: number
  /** `whenSaved()` resolved; for the relay: its answer had come back. */
  answered: number
}

/** One change in a window that shows the text. Moments are on the browser's clock. */
export interface EditArrival {
  /** Of each author that got on by this change, how far. */
  readonly clocks: readonly (readonly [author: number, clock: number])[]
  /** The document had it; for the relay: its frame had arrived. */
  readonly applied: number
  /** The editor had it in its DOM. */
  readonly rendered: number
  /** First task after the frame that showed it; 0 until then. */
  painted: number
}

export interface WriterRecord {
  readonly author: number
  readonly edits: WrittenEdit[]
}

declare global {
  interface Window {
    writerRecord?: WriterRecord
    editArrivals?: EditArrival[]
  }
}

/** When one keystroke passed each station on its way into one other window, in ms after the browser made the key event. */
export type KeyTimes = Omit<WrittenEdit, 'clock'> & Omit<EditArrival, 'clocks'>

export interface WindowGroup {
  readonly writer: Page
  readonly readers: readonly Page[]
  /** Runs in a page of the group: the text as its document has it. The relay has no document. */
  readonly readText?: () => string
  close(): Promise<void>
}

export interface WindowGroupOptions {
  readonly lane: LaneName
  readonly readers: number
  /** All of them are windows of one browser, not of one each. */
  readonly together?: boolean
  /** Proxies in front of the server, in the writer's and in the readers' way. */
  readonly through?: Readonly<Record<'writer' | 'readers', { readonly port: number }>> | undefined
}

/** The product, or the bare relay. */
export interface TypedProgram {
  /** The one that serves the lane: whether a WebSocket may go within HTTP/2 is a setting. */
  serverOf(lane: LaneName): ServerProcess
  /** Fresh windows, the writer's caret in the text. */
  open(options: WindowGroupOptions): Promise<WindowGroup>
}

/** Starts a server for the lanes, and one for WebSockets within HTTP/2. */
export async function startForLanes(
  scope: Scope,
  command: (webSocketOverH2: 'on' | 'off') => ServerCommand,
): Promise<TypedProgram['serverOf']> {
  const own = await scope.startServer(command('off'))
  const within = await scope.startServer(command('on'))
  return (lane) => (lane === 'websocket-h2' ? within : own)
}

const ARRIVAL_MS = 20_000

/**
 * The times of all keys typed so far, in their order, for each of the readers, once every one of them arrived everywhere.
 *
 * @throws {Error} when a letter is missing, doubled or out of order.
 */
export async function collectKeyTimes(
  { writer, readers, readText }: WindowGroup,
  typed: string,
): Promise<KeyTimes[][]> {
  const patience = { timeout: ARRIVAL_MS }
  await writer.waitForFunction(isAllAnswered, undefined, patience)
  const written = await writer.evaluate(() => window.writerRecord!)
  const keys = await keysOf(writer, typed.length)
  return Promise.all(
    readers.map(async (reader) => {
      await reader.waitForFunction(isAllPainted, lastOf(written), patience)
      for (const page of readText ? [writer, reader] : []) {
        const text = await page.evaluate(readText!)
        if (text !== typed) throw new Error(`typed were "${typed}", and the document reads "${text}"`)
      }
      return matchEdits(keys, written, await reader.evaluate(() => window.editArrivals!))
    }),
  )
}

/** Runs in the writer's page. */
export const isAllAnswered = (): boolean =>
  window.writerRecord!.edits.every(({ answered, sent }) => answered > 0 && sent > 0)

/** What `isAllPainted` waits for. */
export const lastOf = ({ author, edits }: WriterRecord) => ({ author, last: edits.at(-1)?.clock ?? 0 })

/** Runs in a reader's page. */
export const isAllPainted = ({ author, last }: ReturnType<typeof lastOf>): boolean =>
  window.editArrivals!.some(({ clocks }) => clocks.some(([of, clock]) => of === author && clock >= last)) &&
  window.editArrivals!.every(({ painted }) => painted > 0)

/** The moment of each key. @throws {Error} when other than so many went down. */
export async function keysOf(page: Page, count: number): Promise<number[]> {
  const keys = await page.evaluate(() => window.recorder.keys)
  if (keys.length !== count) throw new Error(`${count} keys were typed, ${keys.length} went down.`)
  return keys
}

/** An edit's arrival is the first change by which its author got as far as the edit; -1 where it did not arrive. */
export const arrivalIndex = (
  author: number,
  { clock: wanted }: WrittenEdit,
  arrivals: readonly EditArrival[],
): number =>
  arrivals.findIndex(({ clocks }) => clocks.some(([of, clock]) => of === author && clock >= wanted))

/**
 * Puts together what the two pages stamped.
 *
 * @throws {Error} when not every key made one edit, or other than those edits arrived.
 */
export function matchEdits(
  keys: readonly number[],
  { author, edits }: WriterRecord,
  arrivals: readonly EditArrival[],
): KeyTimes[] {
  if (keys.length !== edits.length)
    throw new Error(`${keys.length} keys made ${edits.length} edits: a key is to be one edit`)
  const written = edits.at(-1)?.clock
  const arrived = arrivals.flatMap(({ clocks }) => clocks.filter(([of]) => of === author)).at(-1)?.[1]
  if (written !== arrived) throw new Error(`edits were made up to ${written}, and arrived up to ${arrived}`)
  return edits.map((edit, index) => {
    const { edited, sent, answered } = edit
    const { applied, rendered, painted } = arrivals[arrivalIndex(author, edit, arrivals)]!
    const after = (at: number): number => toMicroseconds(at - keys[index]!)
    return {
      edited: after(edited),
      sent: after(sent),
      answered: after(answered),
      applied: after(applied),
      rendered: after(rendered),
      painted: after(painted),
    }
  })
}

/** That many letters are on screen from then on. In ms, on the clock of the page they are shown in. */
export interface Paint {
  readonly letters: number
  readonly at: number
}

/**
 * Key → painted, in ms. The text begins empty, each key is a letter and none is taken back: so the first paint of n letters or more
 * shows the nth key's. One paint may show several.
 *
 * @param keys On the clock of the page that is typed in.
 * @param difference By how much that clock is ahead of the other page's.
 * @throws {Error} when a letter was never painted, or before its key.
 */
export function matchPaints(keys: readonly number[], paints: readonly Paint[], difference: number): number[] {
  return keys.map((key, index) => {
    const paint = paints.find(({ letters }) => letters > index)
    if (!paint) throw new Error(`Letter ${index + 1} of ${keys.length} was not painted.`)
    const ms = paint.at + difference - key
    if (!(ms >= 0)) throw new Error(`Letter ${index + 1} was painted ${ms} ms after its key: that cannot be.`)
    return toMicroseconds(ms)
  })
}

/** The browser's clock ticks in steps of 100 µs. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
