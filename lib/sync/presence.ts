/**
 * Keeps the awareness of one channel: tells the server where this window is, and takes in where the others are. The server says
 * who left (W7). Knows y-protocols; does not know what a state says.
 */
import * as awarenessProtocol from 'y-protocols/awareness'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import { createDecoder, readBytes, readNumber } from '../protocol/wire.ts'

interface AwarenessChange {
  readonly added: number[]
  readonly updated: number[]
  readonly removed: number[]
}

export class Presence {
  readonly awareness: Awareness
  readonly #tell: (update: Uint8Array) => void

  constructor(doc: Y.Doc, tell: (update: Uint8Array) => void) {
    this.#tell = tell
    this.awareness = new awarenessProtocol.Awareness(doc)
    // Its timer forgets whoever is silent for 30 s, and a hidden window ticks once a minute.
    clearInterval(this.awareness._checkInterval)
    this.awareness.on('update', this.#onUpdate)
  }

  /** Says again what carries no number and may have been lost with its link. */
  announce(): void {
    const { awareness } = this
    if (awareness.getLocalState() === null) return
    this.#tell(awarenessProtocol.encodeAwarenessUpdate(awareness, [awareness.clientID]))
  }

  /** @param whole These are all who are here. */
  hear(update: Uint8Array, whole: boolean): void {
    const { awareness } = this
    const present = clientsIn(update)
    if (whole) this.#forgetAllBut(present)
    awarenessProtocol.applyAwarenessUpdate(awareness, update, this)
    // Only a session of ours that was lost can have spoken for us: its goodbye hid this window from everybody.
    if (present.has(awareness.clientID)) this.announce()
  }

  close(): void {
    const { awareness } = this
    awarenessProtocol.removeAwarenessStates(awareness, [awareness.clientID], 'closing')
    awareness.off('update', this.#onUpdate)
    awareness.destroy()
  }

  #onUpdate = ({ added, updated, removed }: AwarenessChange, origin: unknown): void => {
    if (origin === this) return
    const ids = [...added, ...updated, ...removed]
    this.#tell(awarenessProtocol.encodeAwarenessUpdate(this.awareness, ids))
  }

  #forgetAllBut(present: ReadonlySet<number>): void {
    const { awareness } = this
    const gone = [...awareness.getStates().keys()].filter(
      (id) => id !== awareness.clientID && !present.has(id),
    )
    if (gone.length > 0) awarenessProtocol.removeAwarenessStates(awareness, gone, this)
  }
}

/** y-protocols: a count, then client id, clock and state (JSON text) of each. */
function clientsIn(update: Uint8Array): Set<number> {
  const decoder = createDecoder(update)
  const ids = new Set<number>()
  for (let left = readNumber(decoder); left > 0; left--) {
    ids.add(readNumber(decoder))
    readNumber(decoder)
    readBytes(decoder)
  }
  return ids
}
