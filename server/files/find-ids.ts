/** Finds ids in stored texts without decoding them: in a Yjs update, a string is its own bytes. */
import { setImmediate } from 'node:timers/promises'

const ID_LENGTH = 22
/** Some 20 ms where the bytes are nothing but letters. */
const SLICE_BYTES = 128 * 1024

/** Takes those that occur out of `missing`. Every few ms it is everybody else's turn. */
export async function findIds(bytes: Uint8Array, missing: Set<string>): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let start = 0; start < buffer.length && missing.size > 0; start += SLICE_BYTES) {
    const letters = buffer.toString('latin1', start, start + SLICE_BYTES + ID_LENGTH - 1)
    for (const [run] of letters.matchAll(/[\w-]{22,}/g))
      for (let at = 0; at + ID_LENGTH <= run.length; at += 1) missing.delete(run.slice(at, at + ID_LENGTH))
    await setImmediate()
  }
}
