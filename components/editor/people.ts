/** Who is here, out of what each window's presence says. Believes nothing of it: names, ids and windows are other people's input. */
import { chosenName, shownName } from '@/lib/protocol/link-caller.ts'
import { isPanelId, type PanelId } from '@/lib/windows/panels.ts'

export interface PersonWindow {
  /** Undefined for a client that does not say, such as a stock Yjs one. */
  readonly kind?: 'text' | PanelId
  /** "Chrome on Linux" */
  readonly device?: string
}

export interface Person {
  readonly id: string
  /** As it is shown: marked where it is the person's own word. */
  readonly name: string
  /** Those they have this document open in: at least one. */
  readonly windows: readonly PersonWindow[]
  readonly self: boolean
  /** None of their windows had input for a while (W4). */
  readonly idle: boolean
  /** Their caret is in the text. */
  readonly hasCaret: boolean
  /** Id of the person they go after. */
  readonly follows: string | null
}

type Said = Readonly<Record<string, unknown>>

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const recordIn = (value: unknown): Said =>
  typeof value === 'object' && value !== null ? (value as Said) : {}

function readUser(state: unknown): { id: string | null; name: string } {
  const { id, name } = recordIn(recordIn(state).user)
  const chosen = isText(name) ? name.slice(0, 80) : 'Guest'
  return { id: isText(id) ? id : null, name: shownName({ id, name: chosen }) }
}

function readWindow(state: unknown): PersonWindow {
  const { kind, device } = recordIn(recordIn(state).window)
  return {
    ...((kind === 'text' || isPanelId(kind)) && { kind }),
    ...(isText(device) && { device: device.slice(0, 80) }),
  }
}

/** One entry a person (W6), self first, then by name. A window that names no person is one of its own. */
export function peopleOf(states: ReadonlyMap<number, unknown>, own: number): Person[] {
  const people = new Map<string, Person>()
  for (const [client, state] of states) {
    const { id, name } = readUser(state)
    const key = id ?? `window:${client}`
    const before = people.get(key)
    const { idle, cursor, follows } = recordIn(state)
    people.set(key, {
      id: key,
      name: before?.name ?? name,
      windows: [...(before?.windows ?? []), readWindow(state)],
      self: (before?.self ?? false) || client === own,
      idle: (before?.idle ?? true) && idle === true,
      hasCaret: (before?.hasCaret ?? false) || Boolean(cursor),
      follows: before?.follows ?? (isText(follows) ? follows : null),
    })
  }
  return [...people.values()].sort((a, b) => Number(b.self) - Number(a.self) || a.name.localeCompare(b.name))
}

export function initialsOf(name: string): string {
  const words = chosenName(name).trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => word?.match(/./u)?.[0] ?? '',
  )
  return letters.join('').toLocaleUpperCase() || '?'
}
