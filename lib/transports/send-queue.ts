/** A queue of frames to send. A promise resolves when it has room for more. */
import { recordByteLength } from '../protocol/records.ts'
import { SENT, HIGH_WATER_BYTES } from './link.ts'

export class SendQueue {
  #frames: Uint8Array[] = []
  #bytes = 0
  #room: PromiseWithResolvers<void> | undefined

  get isEmpty(): boolean {
    return this.#frames.length === 0
  }

  push(frame: Uint8Array): Promise<void> {
    this.#frames.push(frame)
    this.#bytes += recordByteLength(frame)
    return this.#bytes > HIGH_WATER_BYTES ? (this.#room ??= Promise.withResolvers()).promise : SENT
  }

  /** Takes the oldest frames that fit into `limit` bytes, at least one. */
  take(limit: number): Uint8Array[] {
    let count = 0
    let bytes = 0
    for (const frame of this.#frames) {
      const more = recordByteLength(frame)
      if (count > 0 && bytes + more > limit) break
      bytes += more
      count += 1
    }
    this.#bytes -= bytes
    if (this.#bytes <= HIGH_WATER_BYTES) this.#makeRoom()
    return this.#frames.splice(0, count)
  }

  clear(): void {
    this.#frames = []
    this.#bytes = 0
    this.#makeRoom()
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}
