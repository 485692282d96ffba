/** The frames that keystrokes really send, recorded from the product, so that the relay carries the same. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import type { TypedProgram } from '../support/typed-windows.ts'
import { textOf } from '../support/typing.ts'

export interface Frames {
  /** Of each keystroke the frames it sends, in base64. */
  readonly keys: readonly (readonly string[])[]
  /** What comes back for it. */
  readonly answer: string
}

const KEYS = 20
/** The first keys make a paragraph and teach the windows each other's carets. */
const SKIPPED = 4
/** Longer than a window may owe its confirmation, which belongs to no key. */
const BETWEEN_KEYS_MS = 300

interface RecordedFrame {
  readonly sent: boolean
  readonly base64: string
}

export async function recordFrames(browser: Browser, product: TypedProgram): Promise<Frames> {
  const seen: RecordedFrame[] = []
  // The writer's comes first.
  browser.once('context', (context) => context.once('page', (page) => listen(page, seen)))
  const pair = await product.open({ lane: 'websocket', readers: 1 })
  const ofKeys: RecordedFrame[][] = []
  for (const key of textOf(KEYS).replaceAll(' ', '_')) ofKeys.push(await framesOf(key, pair.writer, seen))
  await pair.close()
  return toFrames(ofKeys.slice(SKIPPED))
}

function listen(page: Page, seen: RecordedFrame[]): void {
  const note = (sent: boolean, payload: string | Buffer): void =>
    void seen.push({ sent, base64: Buffer.from(payload).toString('base64') })
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => note(true, payload))
    socket.on('framereceived', ({ payload }) => note(false, payload))
  })
}

async function framesOf(key: string, page: Page, seen: RecordedFrame[]): Promise<RecordedFrame[]> {
  await sleep(BETWEEN_KEYS_MS)
  seen.length = 0
  await page.keyboard.press(key)
  await page.evaluate(() => window.diptych!.whenSaved())
  return [...seen]
}

/** What goes up until the first answer; of the answers the usual one. */
function toFrames(ofKeys: readonly RecordedFrame[][]): Frames {
  const keys = ofKeys.map((seen) => {
    const answered = seen.findIndex(({ sent }) => !sent)
    return seen.slice(0, answered).map(({ base64 }) => base64)
  })
  const answer = ofKeys.at(-1)?.find(({ sent }) => !sent)?.base64
  if (answer === undefined || keys.some(({ length }) => length === 0))
    throw new Error('the frames of a keystroke could not be recorded')
  return { keys, answer }
}

export const bytesOf = (base64: string): number => Buffer.byteLength(base64, 'base64')
