/** Frames for stock clients: how the package reads them, and that many readers share one. */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import { changeFrames, presenceFrame, readStockMessage, syncFrame } from './stock-messages.ts'

/** The payloads of successive frames, as copies. */
function payloadsOf(frames: Buffer): Uint8Array[] {
  const found: Uint8Array[] = []
  for (let at = 0; at < frames.length;) {
    expect(frames[at]).toBe(0x82)
    const short = frames[at + 1]!
    const [head, length] =
      short < 126
        ? [2, short]
        : short === 126
          ? [4, frames.readUInt16BE(at + 2)]
          : [10, Number(frames.readBigUInt64BE(at + 2))]
    found.push(new Uint8Array(frames.subarray(at + head, at + head + length)))
    at += head + length
  }
  return found
}

const bytesOf = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value)

describe('frames for stock clients', () => {
  test.each([0, 1, 120, 121, 122, 123, 124, 125, 126, 127, 128, 65_530, 65_531, 65_532, 65_536, 300_000])(
    'an update of %i bytes is read as it was written',
    (length) => {
      const [payload, ...rest] = payloadsOf(syncFrame(2, bytesOf(length, 7)))
      expect(rest).toEqual([])
      const message = readStockMessage(payload!)
      expect(message.type).toBe('update')
      expect('bytes' in message && Buffer.compare(message.bytes, bytesOf(length, 7))).toBe(0)
    },
  )

  test('hold one update each, encoded once for all readers', () => {
    const updates = SharedUpdates.of([bytesOf(3, 1), bytesOf(200, 2), bytesOf(4, 3)])
    const frames = changeFrames(updates)
    expect(payloadsOf(frames).map((payload) => readStockMessage(payload))).toMatchObject(
      [bytesOf(3, 1), bytesOf(200, 2), bytesOf(4, 3)].map((one) => ({ type: 'update', bytes: one })),
    )
    expect(changeFrames(updates)).toBe(frames)
    const rest = updates.withoutOwn([1])
    expect(payloadsOf(changeFrames(rest)).map((payload) => readStockMessage(payload))).toMatchObject(
      [bytesOf(3, 1), bytesOf(4, 3)].map((one) => ({ type: 'update', bytes: one })),
    )
  })

  test('hold the merged runs of many edits', () => {
    const doc = new Y.Doc()
    const edits: Uint8Array[] = []
    doc.on('update', (update: Uint8Array) => edits.push(update))
    for (let index = 0; index < 100; index++) doc.getText().insert(index, 'x')
    const payloads = payloadsOf(changeFrames(SharedUpdates.of(edits, Y.mergeUpdates)))
    expect(payloads.length).toBe(10)
    const copy = new Y.Doc()
    for (const payload of payloads) {
      const message = readStockMessage(payload)
      if ('bytes' in message) Y.applyUpdate(copy, message.bytes)
    }
    expect(copy.getText().length).toBe(100)
  })

  test('are encoded once for presence too', () => {
    const update = bytesOf(30, 9)
    expect(presenceFrame(update)).toBe(presenceFrame(update))
    expect(payloadsOf(presenceFrame(update)).map((payload) => readStockMessage(payload))).toMatchObject([
      { type: 'presence', bytes: update },
    ])
  })
})
