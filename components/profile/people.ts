/** Lists who is here, from each window's presence. The presence is untrusted: names, ids and windows are other people's input. */
import { chosenName } from '@/lib/protocol/link-caller.ts'
import { isPanelId, type PanelId } from '@/lib/windows/panels.ts'
import { defaultColourOf, assignColours } from './person-colours.ts'
import { fieldsOf } from '@/lib/protocol/value-reader.ts'
import { isNonBlankString, readPresenceUser } from './read-presence-user.ts'

export interface PersonWindow {
  /** Undefined for a client that does not send it, such as a stock Yjs one. */
  readonly kind?: 'text' | PanelId
  /** For example "Chrome on Linux". */
  readonly device?: string
}

export interface Person {
  readonly id: string
  /** The name as shown, with a mark if the person chose it themself. */
  readonly name: string
  /** The colour that everybody here sees. */
  readonly colour: string
  /** The windows in which they have this document open: at least one. */
  readonly windows: readonly PersonWindow[]
  readonly self: boolean
  /** True if none of their windows had input for a while (W4). */
  readonly idle: boolean
  /** Their caret is in the text. */
  readonly hasCaret: boolean
  /** The id of the person they follow. */
  readonly follows: string | null
}

function readPersonWindow(state: unknown): PersonWindow {
  const { kind, device } = fieldsOf(fieldsOf(state).window)
  return {
    ...((kind === 'text' || isPanelId(kind)) && { kind }),
    ...(isNonBlankString(device) && { device: device.slice(0, 80) }),
  }
}

/** One entry per person (W6), self first, then by name. A window that names no person counts as a person of its own. */
export function peopleOf(states: ReadonlyMap<number, unknown>, ownClientId: number): Person[] {
  const people = new Map<string, Person>()
  const colours = assignColours(states)
  for (const [client, state] of states) {
    const { personId, name } = readPresenceUser(state, client)
    const existing = people.get(personId)
    const { idle, cursor, follows } = fieldsOf(state)
    people.set(personId, {
      id: personId,
      name: existing?.name ?? name,
      colour: colours.get(personId) ?? defaultColourOf(personId),
      windows: [...(existing?.windows ?? []), readPersonWindow(state)],
      self: (existing?.self ?? false) || client === ownClientId,
      idle: (existing?.idle ?? true) && idle === true,
      hasCaret: (existing?.hasCaret ?? false) || Boolean(cursor),
      follows: existing?.follows ?? (isNonBlankString(follows) ? follows : null),
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
