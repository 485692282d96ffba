/** Reads the person of a window's presence. It is untrusted: ids, names and colours are other people's input. */
import { shownName } from '@/lib/protocol/link-caller.ts'
import { fieldsOf } from '@/lib/protocol/value-reader.ts'
import { namesStrings } from '@/lib/strings/names.ts'

interface PresenceUser {
  /** The person's id. A window that names no person counts as a person of its own. */
  readonly personId: string
  /** The name as shown, with a mark if the person chose it themself. */
  readonly name: string
  /** The published colour, whatever it is. */
  readonly colour: string | null
}

export const isNonBlankString = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

export function readPresenceUser(state: unknown, client: number): PresenceUser {
  const { id, name, color } = fieldsOf(fieldsOf(state).user)
  const chosen = isNonBlankString(name) ? name.slice(0, 80) : namesStrings.guest
  return {
    personId: isNonBlankString(id) ? id : `window:${client}`,
    name: shownName({ id, name: chosen }),
    colour: isNonBlankString(color) ? color : null,
  }
}
