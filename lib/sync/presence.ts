/**
 * Keeps the awareness of one channel: tells the server where this window is, and takes in where the others are. The server says
 * who left (W7). Of what it hears only what fits the schema reaches the awareness, whatever the server let through (W8): an editor
 * that meets anything else there throws within others' edits.
 */
import * as awarenessProtocol from 'y-protocols/awareness'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import { MAX_PRESENCE_BYTES } from '../protocol/limits.ts'
import { type PresenceState, readPresenceState, typeNamesIn } from '../protocol/presence-state.ts'
import {
  createDecoder,
  createEncoder,
  type Decoder,
  readNumber,
  readString,
  toBytes,
  writeNumber,
  writeString,
} from '../protocol/wire.ts'

interface AwarenessChange {
  readonly added: number[]
  readonly updated: number[]
  readonly removed: number[]
}

/** To the server. */
interface PresenceTeller {
  /** @param update Of an awareness, as y-protocols encodes it. */
  state(update: Uint8Array): void
  /** @param cursor As JSON; the rest of the state stands as it was said on this link. */
  caret(cursor: string): void
}

export class Presence {
  readonly awareness: Awareness
  readonly #tell: PresenceTeller
  /** What this window said of itself last. Said anew on every link. */
  #said: PresenceState | null = null

  constructor(doc: Y.Doc, tell: PresenceTeller) {
    this.#tell = tell
    this.awareness = new awarenessProtocol.Awareness(doc)
    // Its timer forgets whoever is silent for 30 s, and a hidden window ticks once a minute.
    clearInterval(this.awareness._checkInterval)
    this.awareness.on('update', this.#onUpdate)
  }

  /** Says again what carries no number and may have been lost with its link. */
  announce(): void {
    const { awareness } = this
    if (awareness.clientID !== awareness.doc.clientID) this.#changeClient()
    if (awareness.getLocalState() !== null) this.#tellState([awareness.clientID])
  }

  /** @param whole These are all who are here. @throws {ProtocolError} for bytes that are no presence. */
  hear(update: Uint8Array, whole: boolean): void {
    const { awareness } = this
    const states = readStates(update)
    const present = new Set(states.map(({ client }) => client))
    if (whole) this.#forgetAllBut(present)
    const known = states.flatMap((state) => this.#knownOf(state))
    if (known.length > 0) awarenessProtocol.applyAwarenessUpdate(awareness, writeStates(known), this)
    // Only a session of ours that was lost can have spoken for us: its goodbye hid this window from everybody.
    if (present.has(awareness.clientID)) this.announce()
  }

  close(): void {
    const { awareness } = this
    awarenessProtocol.removeAwarenessStates(awareness, [awareness.clientID], 'closing')
    awareness.off('update', this.#onUpdate)
    awareness.destroy()
  }

  /** The former id may be somebody else's (A5). The editor, too, takes the document's for this window's own. */
  #changeClient(): void {
    const { awareness } = this
    const state = awareness.getLocalState()
    awarenessProtocol.removeAwarenessStates(awareness, [awareness.clientID], 'changing')
    // The clock of what this window said is not that of the window whose id it is.
    awareness.meta.delete(awareness.clientID)
    awareness.clientID = awareness.doc.clientID
    awareness.setLocalState(state)
  }

  #onUpdate = ({ added, updated, removed }: AwarenessChange, origin: unknown): void => {
    if (origin === this) return
    const ids = [...added, ...updated, ...removed]
    const state = this.awareness.getLocalState()
    const isOwn = ids.length === 1 && ids[0] === this.awareness.clientID
    if (!isOwn || !state || !this.#said || !differInCursor(this.#said, state)) return this.#tellState(ids)
    this.#said = state
    this.#tell.caret(JSON.stringify(state.cursor ?? null))
  }

  #tellState(ids: number[]): void {
    this.#said = this.awareness.getLocalState()
    this.#tell.state(awarenessProtocol.encodeAwarenessUpdate(this.awareness, ids))
  }

  /** Nobody else says where this window is. What is no state is passed over, and what stood before it stays. */
  #knownOf({ client, clock, text }: ClientState): ClientState[] {
    if (client === this.awareness.clientID) return []
    if (text === GOODBYE) return [{ client, clock, text }]
    const state = readPresenceState(parsed(text))
    return state ? [{ client, clock, text: JSON.stringify(this.#withoutUnknownTypes(state)) }] : []
  }

  #withoutUnknownTypes(state: PresenceState): PresenceState {
    const { share } = this.awareness.doc
    return typeNamesIn(state).every((name) => name === TEXT || share.has(name))
      ? state
      : { ...state, cursor: null }
  }

  #forgetAllBut(present: ReadonlySet<number>): void {
    const { awareness } = this
    const gone = [...awareness.getStates().keys()].filter(
      (id) => id !== awareness.clientID && !present.has(id),
    )
    if (gone.length > 0) awarenessProtocol.removeAwarenessStates(awareness, gone, this)
  }
}

/** And in nothing else. A field that was not set anew is the same value. */
function differInCursor(before: PresenceState, now: PresenceState): boolean {
  const fields = new Set([...Object.keys(before), ...Object.keys(now)])
  const changed = [...fields].filter((field) => before[field] !== now[field])
  return changed.length === 1 && changed[0] === 'cursor'
}

/** The type that editors show: nobody may have written in it yet. */
const TEXT = 'default'
/** As y-protocols writes it. */
const GOODBYE = 'null'

/** Of one client in an update. */
interface ClientState {
  readonly client: number
  readonly clock: number
  /** JSON. */
  readonly text: string
}

/** y-protocols: a count, then client id, clock and state (JSON text) of each. */
function readStates(update: Uint8Array): ClientState[] {
  const decoder = createDecoder(update)
  const states: ClientState[] = []
  for (let left = readNumber(decoder); left > 0; left--) states.push(readState(decoder))
  return states
}

const readState = (decoder: Decoder): ClientState => ({
  client: readNumber(decoder),
  clock: readNumber(decoder),
  text: readString(decoder, MAX_PRESENCE_BYTES),
})

function writeStates(states: readonly ClientState[]): Uint8Array {
  const encoder = createEncoder()
  writeNumber(encoder, states.length)
  for (const { client, clock, text } of states) {
    writeNumber(encoder, client)
    writeNumber(encoder, clock)
    writeString(encoder, text)
  }
  return toBytes(encoder)
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
