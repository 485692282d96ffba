/** Who is here, out of what each window's presence says. Believes nothing of it: names and ids are other people's input. */
export interface Person {
  readonly id: string
  readonly name: string
  /** How many windows they have this document open in. */
  readonly windows: number
  readonly self: boolean
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function readUser(state: unknown): { id: string | null; name: string } {
  const user = (state as { user?: { id?: unknown; name?: unknown } } | null)?.user
  return {
    id: isText(user?.id) ? user.id : null,
    name: isText(user?.name) ? user.name.slice(0, 80) : 'Guest',
  }
}

/** One entry a person (W6), self first, then by name. A window that names no person is one of its own. */
export function peopleOf(states: ReadonlyMap<number, unknown>, own: number): Person[] {
  const people = new Map<string, Person>()
  for (const [client, state] of states) {
    const { id, name } = readUser(state)
    const key = id ?? `window:${client}`
    const before = people.get(key)
    people.set(key, {
      id: key,
      name: before?.name ?? name,
      windows: (before?.windows ?? 0) + 1,
      self: (before?.self ?? false) || client === own,
    })
  }
  return [...people.values()].sort((a, b) => Number(b.self) - Number(a.self) || a.name.localeCompare(b.name))
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => word?.match(/./u)?.[0] ?? '',
  )
  return letters.join('').toLocaleUpperCase() || '?'
}
