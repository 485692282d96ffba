/** Records the frames that keystrokes send with the product, so that the relay carries the same. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import type { TypedProgram } from '../support/typed-windows.ts'
import { createText } from '../support/type-text.ts'

export interface KeystrokeFrames {
  /** The frames that each keystroke sends, in base64. */
  readonly keys: readonly (readonly string[])[]
  /** The frame that answers one keystroke, in base64. */
  readonly answer: string
}

const KEYS = 20
/** The first keys also create the paragraph and show the windows each other's carets. */
const SKIPPED = 4
/** Is longer than a window may delay an acknowledgement, which belongs to no key. */
const BETWEEN_KEYS_MS = 300

interface RecordedFrame {
  readonly sent: boolean
  readonly base64: string
}

export async function recordKeystrokeFrames(
  browser: Browser,
  product: TypedProgram,
): Promise<KeystrokeFrames> {
  const seen: RecordedFrame[] = []
  // The first context is the writer's.
  browser.once('context', (context) => context.once('page', (page) => listen(page, seen)))
  const pair = await product.open({ lane: 'websocket', readers: 1 })
  const ofKeys: RecordedFrame[][] = []
  for (const key of createText(KEYS).replaceAll(' ', '_')) ofKeys.push(await framesOf(key, pair.writer, seen))
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

/** Takes what each key sent before its first answer, and the answer of the last key, which is the usual one. */
function toFrames(ofKeys: readonly RecordedFrame[][]): KeystrokeFrames {
  const keys = ofKeys.map((seen) => {
    const answered = seen.findIndex(({ sent }) => !sent)
    return seen.slice(0, answered).map(({ base64 }) => base64)
  })
  const answer = ofKeys.at(-1)?.find(({ sent }) => !sent)?.base64
  if (answer === undefined || keys.some(({ length }) => length === 0))
    throw new Error('the frames of a keystroke could not be recorded')
  return { keys, answer }
}

export const base64Bytes = (base64: string): number => Buffer.byteLength(base64, 'base64')
