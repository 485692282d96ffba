/**
 * The presence that a window may send (W8): all fields that the product and the stock bindings of editors use, with their types
 * and sizes. The server checks what it passes on, and a client what it receives: any other value makes an editor throw within
 * remote edits.
 */
import {
  isRecord,
  listOf,
  eitherOf,
  orNull,
  readBoolean,
  readFinite,
  readInteger,
  readText,
  recordOf,
  type ValueReader,
} from './value-reader.ts'

export type PresenceState = Readonly<Record<string, unknown>>

/** Ids, names and titles: the limit is longer than any that a list shows. */
const name = readText(200)
/** A colour, which a stock binding writes into a style: the pattern allows no further rule. */
const colour = readText(40, /^[#\w(),.% -]*$/)
const id = recordOf({ client: readInteger(), clock: readInteger() }, 'client', 'clock')

/** A relative position as Yjs writes it in JSON. One that names neither a letter nor a type makes Yjs throw. */
const positionFields = recordOf({
  type: orNull(id),
  tname: orNull(readText(64)),
  item: orNull(id),
  assoc: readInteger(-1, 1),
})
const position: ValueReader<PresenceState> = (value) => {
  const read = positionFields(value)
  return read && (read.type ?? read.tname ?? read.item ?? null) !== null ? read : undefined
}

const spot = recordOf({ at: readText(120), to: readText(120) }, 'at')
const bounds = recordOf(
  { left: readFinite, top: readFinite, width: readFinite, height: readFinite },
  'left',
  'top',
  'width',
  'height',
)
const conditions = recordOf({
  delayMs: readFinite,
  jitterMs: readFinite,
  silent: readBoolean,
  blocked: listOf(readText(20), 10),
})

/** A request of one window to another on a desk (lib/windows/window-requests.ts). */
const request = recordOf(
  {
    type: readText(20),
    document: name,
    kind: readText(20),
    title: name,
    bounds,
    left: readFinite,
    top: readFinite,
    width: readFinite,
    height: readFinite,
    linked: readBoolean,
    choice: readText(20),
    conditions: orNull(conditions),
    wish: recordOf({
      panel: readText(20),
      text: readText(1_000),
      thread: readText(1_000),
      keep: readBoolean,
    }),
  },
  'type',
)

/** A document's presence has `kind`, `device` and `linked` (W6), a desk's all fields (lib/windows/window-state.ts). */
const windowState = recordOf({
  id: name,
  place: name,
  n: readFinite,
  kind: readText(20),
  document: orNull(name),
  title: readText(1_000),
  device: eitherOf(name, recordOf({ id: name, name }, 'id', 'name')),
  bounds,
  screen: name,
  openedAt: readFinite,
  focusedAt: readFinite,
  active: readBoolean,
  popup: readBoolean,
  linked: readBoolean,
  link: recordOf({ transport: name, choice: name, protocol: name, roundTripMs: readFinite }, 'transport'),
  simulated: conditions,
  asks: listOf(recordOf({ id: name, to: name, what: request }, 'id', 'to', 'what'), 50),
  heard: listOf(name, 100),
})

const state = recordOf({
  user: recordOf({ id: name, name, color: colour, colorLight: colour }),
  cursor: orNull(recordOf({ anchor: position, head: position }, 'anchor', 'head')),
  window: windowState,
  idle: readBoolean,
  follows: orNull(name),
  view: orNull(
    recordOf(
      { top: spot, heading: spot, selection: spot, within: readBoolean, go: readBoolean, n: readInteger() },
      'top',
      'n',
    ),
  ),
})

/** Reads a presence state; undefined for any other value. Fields that are unknown or do not fit are left out. */
export const readPresenceState: ValueReader<PresenceState> = state

/** The names of shared types in a state's cursor. Yjs creates a type for a name that a document does not have. */
export function typeNamesIn({ cursor }: PresenceState): string[] {
  if (!isRecord(cursor)) return []
  return [cursor.anchor, cursor.head].flatMap((at) =>
    isRecord(at) && typeof at.tname === 'string' ? [at.tname] : [],
  )
}
