/**
 * What a person has chosen for all their windows: kept in their desk, so that it holds on their other devices, and mirrored in each
 * browser, so that it holds from the first paint and where no desk is open. Of two choices the later one counts, by the clocks of
 * the devices they were made on. Knows no React.
 */
import type * as Y from 'yjs'
import type { OpenPart } from '../sync/part.ts'
import { notifyAll } from '../notify-all.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Whether undo takes back what was done in this window, or in any of this browser's. */
export const undoScopes = ['window', 'all'] as const
export type UndoScope = (typeof undoScopes)[number]

/** Of the window, clockwise. */
export const corners = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const
export type Corner = (typeof corners)[number]

/** Of the list of documents. */
export const listFilters = ['all', 'owned', 'shared'] as const
export type ListFilter = (typeof listFilters)[number]
export const listSorts = ['edited', 'title', 'created'] as const
export type ListSort = (typeof listSorts)[number]
export const listLayouts = ['list', 'cards'] as const
export type ListLayout = (typeof listLayouts)[number]

export interface Settings {
  /** Null: never chosen here. */
  readonly theme: Theme | null
  readonly undo: UndoScope
  /** Of the text, as BCP 47 has it; '' for the browser's own. */
  readonly language: string
  /** Where the latency overlay stands. */
  readonly corner: Corner
  readonly listFilter: ListFilter
  readonly listSort: ListSort
  readonly listLayout: ListLayout
}

type Name = keyof Settings

export const defaults: Settings = {
  theme: null,
  undo: 'window',
  language: '',
  corner: 'bottom-right',
  listFilter: 'all',
  listSort: 'edited',
  listLayout: 'list',
}

const names = Object.keys(defaults) as Name[]

const isSound: { readonly [N in Name]: (value: unknown) => boolean } = {
  theme: (value) => themes.includes(value as Theme),
  undo: (value) => undoScopes.includes(value as UndoScope),
  language: (value) => value === '' || isLanguage(value),
  corner: (value) => corners.includes(value as Corner),
  listFilter: (value) => listFilters.includes(value as ListFilter),
  listSort: (value) => listSorts.includes(value as ListSort),
  listLayout: (value) => listLayouts.includes(value as ListLayout),
}

/** One that the browser's own functions take: of any other they throw. */
function isLanguage(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}

interface Choice {
  readonly version: 1
  readonly value: unknown
  /** When it was made, in ms since 1970. */
  readonly at: number
}

/** Null for anything that is no choice: another version's, or nonsense. */
function readChoice(name: Name, raw: unknown): Choice | null {
  if (typeof raw !== 'object' || raw === null) return null
  const { version, value, at } = raw as Partial<Record<keyof Choice, unknown>>
  if (version !== 1 || typeof at !== 'number' || !Number.isFinite(at) || !isSound[name](value)) return null
  return { version, value, at }
}

export interface MirrorLike {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

export const MIRROR_KEY = 'diptych.settings'

export interface SettingsPowers {
  readonly mirror: MirrorLike
  /** As whom the server knew this browser last; '' where it is not known. What somebody else chose here before is not theirs. */
  person(): string
  /** Milliseconds since 1970. */
  now?(): number
}

/** A choice from further ahead would outlive every other: either its clock is wrong, or its maker. In ms. */
const MOST_AHEAD = 24 * 60 * 60 * 1000

export class SettingsStore {
  readonly #powers: SettingsPowers
  readonly #listeners = new Set<() => void>()
  readonly #desks = new Set<Y.Map<unknown>>()
  #choices: Partial<Record<Name, Choice>> = {}
  #settings: Settings = defaults

  constructor(powers: SettingsPowers) {
    this.#powers = powers
    this.reread()
  }

  get = (): Settings => this.#settings

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  set<N extends Name>(name: N, value: Settings[N]): void {
    // Later than anything heard of, though this device's clock be behind.
    const at = Math.max(this.#now(), (this.#choices[name]?.at ?? 0) + 1)
    this.#take(name, { version: 1, value, at })
    for (const desk of this.#desks) desk.set(name, this.#choices[name])
  }

  /** Another window of this browser has written. */
  reread(): void {
    const mirrored = this.#mirrored()
    for (const name of names) this.#hear(name, mirrored[name])
  }

  /** From now on this is in step with that desk. Returns the undo. */
  attach({ doc, whenSynced }: Pick<OpenPart, 'doc' | 'whenSynced'>): () => void {
    const desk = doc.getMap<unknown>('settings')
    const hear = () => {
      for (const name of names) this.#hear(name, desk.get(name))
    }
    const agree = () => {
      if (!this.#desks.has(desk)) return
      hear()
      // What is too far ahead stays there until somebody chooses: two clocks that differ by days would put theirs back for ever.
      for (const name of names)
        if (this.#isLater(name, readChoice(name, desk.get(name)))) desk.set(name, this.#choices[name])
    }
    this.#desks.add(desk)
    desk.observe(agree)
    hear()
    // A desk that is refused holds nothing of anybody's.
    whenSynced.then(agree, () => undefined)
    return () => {
      desk.unobserve(agree)
      this.#desks.delete(desk)
    }
  }

  #isLater(name: Name, other: Choice | null): boolean {
    const own = this.#choices[name]
    return own !== undefined && own.at > (other?.at ?? 0)
  }

  #now(): number {
    return (this.#powers.now ?? Date.now)()
  }

  #hear(name: Name, raw: unknown): void {
    const choice = readChoice(name, raw)
    if (choice && choice.at <= this.#now() + MOST_AHEAD) this.#take(name, choice)
  }

  #take(name: Name, choice: Choice): void {
    if (choice.at <= (this.#choices[name]?.at ?? 0)) return
    this.#choices = { ...this.#choices, [name]: choice }
    this.#settings = { ...this.#settings, [name]: choice.value }
    this.#remember()
    notifyAll(this.#listeners)
  }

  // Storage can be forbidden, and anybody may have written there.

  #mirrored(): Partial<Record<Name, unknown>> {
    try {
      const raw: unknown = JSON.parse(this.#powers.mirror.getItem(MIRROR_KEY) ?? 'null')
      const { person, choices } = (raw ?? {}) as { person?: unknown; choices?: unknown }
      const here = this.#powers.person()
      const isTheirs = here === '' || person === '' || person === here
      return isTheirs && typeof choices === 'object' && choices !== null ? choices : {}
    } catch {
      return {}
    }
  }

  #remember(): void {
    try {
      const kept = { person: this.#powers.person(), choices: this.#choices }
      this.#powers.mirror.setItem(MIRROR_KEY, JSON.stringify(kept))
    } catch {
      // Then it comes with the desk.
    }
  }
}
