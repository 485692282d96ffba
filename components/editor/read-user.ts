/** Whom a window's presence names. Believes nothing of it: ids, names and colours are other people's input. */
import { shownName } from '@/lib/protocol/link-caller.ts'
import { strings } from '@/lib/strings/names.ts'

interface NamedUser {
  /** The person's id. A window that names no person is one of its own. */
  readonly key: string
  /** As it is shown: marked where it is the person's own word. */
  readonly name: string
  /** As it is told, whatever that is. */
  readonly colour: string | null
}

/** Other people's input, of which nothing is known. */
type UntrustedRecord = Readonly<Record<string, unknown>>

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

export const recordIn = (value: unknown): UntrustedRecord =>
  typeof value === 'object' && value !== null ? (value as UntrustedRecord) : {}

export function readUser(state: unknown, client: number): NamedUser {
  const { id, name, color } = recordIn(recordIn(state).user)
  const chosen = isText(name) ? name.slice(0, 80) : strings.guest
  return {
    key: isText(id) ? id : `window:${client}`,
    name: shownName({ id, name: chosen }),
    colour: isText(color) ? color : null,
  }
}
