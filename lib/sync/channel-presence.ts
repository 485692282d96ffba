/**
 * Keeps the awareness of one channel: sends where this window is, and applies where the others are. The server says who left (W7). Only
 * what fits the schema reaches the awareness, whatever the server let through (W8): an editor that meets anything else there throws while
 * remote edits are applied.
 */
import * as awarenessProtocol from 'y-protocols/awareness'
import type { Awareness } from 'y-protocols/awareness'
import { stopTimeouts } from '../yjs-internals/awareness.ts'
import type * as Y from 'yjs'
import { type PresenceState, readPresenceState, typeNamesIn } from '../protocol/presence-state.ts'
import { parseJson } from '../protocol/value-reader.ts'
import {
  type ClientPresence,
  readPresenceUpdate,
  REMOVED_STATE,
  writePresenceUpdate,
} from '../protocol/presence-update.ts'

interface AwarenessChange {
  readonly added: number[]
  readonly updated: number[]
  readonly removed: number[]
}

/** Sends presence to the server. */
interface PresenceSender {
  /** @param update An awareness update, as y-protocols encodes it. */
  sendState(update: Uint8Array): void
  /** @param cursor As JSON; the rest of the state stays as it was sent on this link. */
  sendCaret(cursor: string): void
}

export class ChannelPresence {
  readonly awareness: Awareness
  readonly #sender: PresenceSender
  /** The state of this window that was sent last. It is sent anew on every link. */
  #sentState: PresenceState | null = null

  constructor(doc: Y.Doc, sender: PresenceSender) {
    this.#sender = sender
    this.awareness = new awarenessProtocol.Awareness(doc)
    // Its timer removes whoever is silent for 30 s, but a hidden window ticks only once a minute.
    stopTimeouts(this.awareness)
    this.awareness.on('update', this.#onUpdate)
  }

  /** Sends the state again: it carries no number, so it may have been lost with its link. */
  sendOwnState(): void {
    const { awareness } = this
    if (awareness.clientID !== awareness.doc.clientID) this.#changeClientId()
    if (awareness.getLocalState() !== null) this.#sendState([awareness.clientID])
  }

  /** @param isComplete The update lists everybody who is here. @throws {ProtocolError} for bytes that are no presence. */
  receive(update: Uint8Array, isComplete: boolean): void {
    const { awareness } = this
    const states = readPresenceUpdate(update)
    const present = new Set(states.map(({ client }) => client))
    if (isComplete) this.#removeAllExcept(present)
    const accepted = states.flatMap((state) => this.#acceptedStateOf(state))
    if (accepted.length > 0)
      awarenessProtocol.applyAwarenessUpdate(awareness, writePresenceUpdate(accepted), this)
    // Only a lost session of this window can have sent this: its goodbye hid this window from everybody.
    if (present.has(awareness.clientID)) this.sendOwnState()
  }

  close(): void {
    const { awareness } = this
    awarenessProtocol.removeAwarenessStates(awareness, [awareness.clientID], 'closing')
    awareness.off('update', this.#onUpdate)
    awareness.destroy()
  }

  /** The former id may belong to somebody else (A5). The editor, too, takes the document's client id for this window's own. */
  #changeClientId(): void {
    const { awareness } = this
    const state = awareness.getLocalState()
    awarenessProtocol.removeAwarenessStates(awareness, [awareness.clientID], 'changing')
    // The clock of this window's states is not the clock of the window that owns the id.
    awareness.meta.delete(awareness.clientID)
    awareness.clientID = awareness.doc.clientID
    awareness.setLocalState(state)
  }

  #onUpdate = ({ added, updated, removed }: AwarenessChange, origin: unknown): void => {
    if (origin === this) return
    const ids = [...added, ...updated, ...removed]
    const state = this.awareness.getLocalState()
    const isOwn = ids.length === 1 && ids[0] === this.awareness.clientID
    if (!isOwn || !state || !this.#sentState || !differsOnlyInCursor(this.#sentState, state))
      return this.#sendState(ids)
    this.#sentState = state
    this.#sender.sendCaret(JSON.stringify(state.cursor ?? null))
  }

  #sendState(ids: number[]): void {
    this.#sentState = this.awareness.getLocalState()
    this.#sender.sendState(awarenessProtocol.encodeAwarenessUpdate(this.awareness, ids))
  }

  /**
   * A state under this window's own id is ignored, because nobody else may say where it is. Invalid states are skipped, and the former
   * state stays.
   */
  #acceptedStateOf({ client, clock, json }: ClientPresence): ClientPresence[] {
    if (client === this.awareness.clientID) return []
    if (json === REMOVED_STATE) return [{ client, clock, json }]
    const state = readPresenceState(parseJson(json))
    return state ? [{ client, clock, json: JSON.stringify(this.#withoutUnknownTypes(state)) }] : []
  }

  #withoutUnknownTypes(state: PresenceState): PresenceState {
    const { share } = this.awareness.doc
    return typeNamesIn(state).every((name) => name === TEXT_TYPE_NAME || share.has(name))
      ? state
      : { ...state, cursor: null }
  }

  #removeAllExcept(present: ReadonlySet<number>): void {
    const { awareness } = this
    const gone = [...awareness.getStates().keys()].filter(
      (id) => id !== awareness.clientID && !present.has(id),
    )
    if (gone.length > 0) awarenessProtocol.removeAwarenessStates(awareness, gone, this)
  }
}

/** Compares by identity: a field that was not set anew holds the same value. */
function differsOnlyInCursor(before: PresenceState, now: PresenceState): boolean {
  const fields = new Set([...Object.keys(before), ...Object.keys(now)])
  const changed = [...fields].filter((field) => before[field] !== now[field])
  return changed.length === 1 && changed[0] === 'cursor'
}

/** The type that editors show. It may be missing from `share` while nobody has written in it. */
const TEXT_TYPE_NAME = 'default'
