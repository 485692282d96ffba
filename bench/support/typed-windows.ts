/** Matches the moments that windows recorded: one window is typed into, the others show the text. */
import type { Page } from '@playwright/test'
import type { Scope } from './context.ts'
import type { LaneName } from './lanes.ts'
import type { ServerCommand, ServerProcess } from './server.ts'

/** One edit in the window that is typed into. Moments are on the browser's clock, and 0 until they come. */
export interface WrittenEdit {
  /** The author's clock after the edit, which grows with each edit. */
  readonly clock: number
  /** The document had the letter; for the relay: the page had the input event. */
  readonly edited: number
  /** The frame was about to be given to the transport. */
  sent: number
  /** `whenSaved()` resolved; for the relay: the answer had arrived. */
  answered: number
}

/** One change in a window that shows the text. Moments are on the browser's clock. */
export interface EditArrival {
  /** The authors of the change, each with the clock that it brings them to. */
  readonly clocks: readonly (readonly [author: number, clock: number])[]
  /** The document had the change; for the relay: the frame had arrived. */
  readonly applied: number
  /** The editor had it in its DOM. */
  readonly rendered: number
  /** The first task after the frame that showed it; 0 until then. */
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

/** The stages of one keystroke on its way into one other window, in ms after the browser made the key event. */
export type KeyTimes = Omit<WrittenEdit, 'clock'> & Omit<EditArrival, 'clocks'>

export interface TypedWindows {
  readonly writer: Page
  readonly readers: readonly Page[]
  /** Runs in one of the pages, and returns the text of its document. The relay has no document. */
  readonly readText?: () => string
  close(): Promise<void>
}

export interface TypedWindowsOptions {
  readonly lane: LaneName
  readonly readers: number
  /** The readers are windows of one browser; otherwise each is in a browser of its own. */
  readonly together?: boolean
  /** The proxies through which the writer and the readers reach the server. */
  readonly through?: Readonly<Record<'writer' | 'readers', { readonly port: number }>> | undefined
}

/** The product, or the bare relay. */
export interface TypedProgram {
  /** Returns the server of the lane: whether it allows a WebSocket within HTTP/2 is a setting. */
  serverOf(lane: LaneName): ServerProcess
  /** Opens fresh windows, with the writer's caret in the text. */
  open(options: TypedWindowsOptions): Promise<TypedWindows>
}

/** Starts a server for most lanes, and one for WebSockets within HTTP/2. */
export async function startServersForLanes(
  scope: Scope,
  command: (webSocketOverH2: 'on' | 'off') => ServerCommand,
): Promise<TypedProgram['serverOf']> {
  const own = await scope.startServer(command('off'))
  const within = await scope.startServer(command('on'))
  return (lane) => (lane === 'websocket-h2' ? within : own)
}

const ARRIVAL_MS = 20_000

/**
 * Waits until every key so far has arrived everywhere, and returns the times of the keys, in order, for each reader.
 *
 * @throws {Error} when a letter is missing, doubled or out of order.
 */
export async function collectKeyTimes(
  { writer, readers, readText }: TypedWindows,
  typed: string,
): Promise<KeyTimes[][]> {
  const patience = { timeout: ARRIVAL_MS }
  await writer.waitForFunction(isAllAnswered, undefined, patience)
  const written = await writer.evaluate(() => window.writerRecord!)
  const keys = await keysOf(writer, typed.length)
  return Promise.all(
    readers.map(async (reader) => {
      await reader.waitForFunction(isAllPainted, lastEditOf(written), patience)
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

/** Returns the edit that `isAllPainted` waits for. */
export const lastEditOf = ({ author, edits }: WriterRecord) => ({ author, last: edits.at(-1)?.clock ?? 0 })

/** Runs in a reader's page. */
export const isAllPainted = ({ author, last }: ReturnType<typeof lastEditOf>): boolean =>
  window.editArrivals!.some(({ clocks }) => clocks.some(([of, clock]) => of === author && clock >= last)) &&
  window.editArrivals!.every(({ painted }) => painted > 0)

/** Returns the moment of each key. @throws {Error} when not `count` keys went down. */
export async function keysOf(page: Page, count: number): Promise<number[]> {
  const keys = await page.evaluate(() => window.recorder.keys)
  if (keys.length !== count) throw new Error(`${count} keys were typed, ${keys.length} went down.`)
  return keys
}

/** Returns the index of the first change that brings the author to the edit's clock; -1 if there is none. */
export const arrivalIndex = (
  author: number,
  { clock: wanted }: WrittenEdit,
  arrivals: readonly EditArrival[],
): number =>
  arrivals.findIndex(({ clocks }) => clocks.some(([of, clock]) => of === author && clock >= wanted))

/**
 * Puts together what the two pages recorded.
 *
 * @throws {Error} when a key did not make exactly one edit, or not exactly those edits arrived.
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

/** A number of letters on screen, and the moment from which it was there, on the clock of its page. */
export interface Paint {
  readonly letters: number
  readonly at: number
}

/**
 * Returns the ms from each key to its paint. The text is empty at first, each key adds a letter and none removes one, so that the
 * first paint of at least n letters shows the letter of key n. One paint may show several letters.
 *
 * @param keys The moments of the keys, on the clock of the page that is typed into.
 * @param difference The time by which that clock is ahead of the other page's.
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
