/**
 * Stores what a person has chosen for all their windows. The desk holds it for their other devices; each browser mirrors it, so that it
 * holds from the first paint and where no desk is open. Of two choices the later one counts, by the clocks of the devices they were made
 * on. Knows no React.
 */
import type * as Y from 'yjs'
import type { OpenPart } from '../sync/synced-part.ts'
import { Subscribable } from '../subscribable.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Whether undo takes back what was done in this window, or in any window of this browser. */
export const undoScopes = ['window', 'all'] as const
export type UndoScope = (typeof undoScopes)[number]

/** The corners of the window, clockwise. */
export const corners = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const
export type Corner = (typeof corners)[number]

/** What the list of documents shows, where that is no folder. */
export const listFilters = ['all', 'recent', 'favourites', 'shared', 'owned', 'templates'] as const
export type ListFilter = (typeof listFilters)[number]
export const listSorts = ['edited', 'title', 'created'] as const
export type ListSort = (typeof listSorts)[number]
export const listLayouts = ['list', 'cards'] as const
export type ListLayout = (typeof listLayouts)[number]

/** How the lines of code are shown. */
export const codeLineStyles = ['wrapped', 'scrolled', 'numbered'] as const
export type CodeLineStyle = (typeof codeLineStyles)[number]

export interface Settings {
  /** Null where none was ever chosen here. */
  readonly theme: Theme | null
  readonly undo: UndoScope
  /** The language of the text, in BCP 47; '' for the browser's own. */
  readonly language: string
  /** The corner of the latency overlay. */
  readonly corner: Corner
  readonly codeLines: CodeLineStyle
  readonly listFilter: ListFilter
  readonly listSort: ListSort
  readonly listLayout: ListLayout
}

type SettingName = keyof Settings

export const defaultSettings: Settings = {
  theme: null,
  undo: 'window',
  language: '',
  corner: 'bottom-right',
  codeLines: 'wrapped',
  listFilter: 'all',
  listSort: 'edited',
  listLayout: 'list',
}

const settingNames = Object.keys(defaultSettings) as SettingName[]

const isValidSetting: { readonly [N in SettingName]: (value: unknown) => boolean } = {
  theme: (value) => themes.includes(value as Theme),
  undo: (value) => undoScopes.includes(value as UndoScope),
  language: (value) => value === '' || isLanguage(value),
  corner: (value) => corners.includes(value as Corner),
  codeLines: (value) => codeLineStyles.includes(value as CodeLineStyle),
  listFilter: (value) => listFilters.includes(value as ListFilter),
  listSort: (value) => listSorts.includes(value as ListSort),
  listLayout: (value) => listLayouts.includes(value as ListLayout),
}

/** Accepts only languages that the browser's own functions accept: they throw for any other. */
function isLanguage(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}

interface SettingChoice {
  readonly version: 1
  readonly value: unknown
  /** When the choice was made, in ms since 1970. */
  readonly at: number
}

/** Returns null for anything that is no choice: another version's, or an invalid value. */
function readSettingChoice(name: SettingName, raw: unknown): SettingChoice | null {
  if (typeof raw !== 'object' || raw === null) return null
  const { version, value, at } = raw as Partial<Record<keyof SettingChoice, unknown>>
  if (version !== 1 || typeof at !== 'number' || !Number.isFinite(at) || !isValidSetting[name](value))
    return null
  return { version, value, at }
}

export interface SettingsMirror {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

export const MIRROR_KEY = 'diptych.settings'

export interface SettingsDependencies {
  readonly mirror: SettingsMirror
  /**
   * The principal that the server last named for this browser; '' where it is not known. What somebody else chose here before is not
   * theirs.
   */
  person(): string
  /** In ms since 1970. */
  now?(): number
}

/** A choice from further ahead would outlive every other: either its clock is wrong, or its author meant harm. In ms. */
const MAX_CLOCK_AHEAD_MS = 24 * 60 * 60 * 1000

export class SettingsStore {
  readonly #dependencies: SettingsDependencies
  readonly #listeners = new Subscribable()
  readonly #desks = new Set<Y.Map<unknown>>()
  #choices: Partial<Record<SettingName, SettingChoice>> = {}
  #settings: Settings = defaultSettings

  constructor(dependencies: SettingsDependencies) {
    this.#dependencies = dependencies
    this.readMirror()
  }

  get = (): Settings => this.#settings

  readonly subscribe = this.#listeners.subscribe

  set<N extends SettingName>(name: N, value: Settings[N]): void {
    // The time is later than any known one, even if this device's clock is behind.
    const at = Math.max(this.#now(), (this.#choices[name]?.at ?? 0) + 1)
    this.#applyChoice(name, { version: 1, value, at })
    for (const desk of this.#desks) desk.set(name, this.#choices[name])
  }

  /** Another window of this browser has written the mirror. */
  readMirror(): void {
    const mirrored = this.#mirroredChoices()
    for (const name of settingNames) this.#receiveChoice(name, mirrored[name])
  }

  /** Keeps these settings in step with that desk from now on. Returns a function that stops it. */
  attachDesk({ doc, whenSynced }: Pick<OpenPart, 'doc' | 'whenSynced'>): () => void {
    const desk = doc.getMap<unknown>('settings')
    const receiveChoices = () => {
      for (const name of settingNames) this.#receiveChoice(name, desk.get(name))
    }
    const syncWithDesk = () => {
      if (!this.#desks.has(desk)) return
      receiveChoices()
      // A choice too far ahead stays there until somebody chooses: two clocks that differ by days would overwrite each other for ever.
      for (const name of settingNames)
        if (this.#isLater(name, readSettingChoice(name, desk.get(name)))) desk.set(name, this.#choices[name])
    }
    this.#desks.add(desk)
    desk.observe(syncWithDesk)
    receiveChoices()
    // A desk that is refused holds nobody's choices.
    whenSynced.then(syncWithDesk, () => undefined)
    return () => {
      desk.unobserve(syncWithDesk)
      this.#desks.delete(desk)
    }
  }

  #isLater(name: SettingName, other: SettingChoice | null): boolean {
    const own = this.#choices[name]
    return own !== undefined && own.at > (other?.at ?? 0)
  }

  #now(): number {
    return (this.#dependencies.now ?? Date.now)()
  }

  #receiveChoice(name: SettingName, raw: unknown): void {
    const choice = readSettingChoice(name, raw)
    if (choice && choice.at <= this.#now() + MAX_CLOCK_AHEAD_MS) this.#applyChoice(name, choice)
  }

  #applyChoice(name: SettingName, choice: SettingChoice): void {
    if (choice.at <= (this.#choices[name]?.at ?? 0)) return
    this.#choices = { ...this.#choices, [name]: choice }
    this.#settings = { ...this.#settings, [name]: choice.value }
    this.#writeMirror()
    this.#listeners.notify()
  }

  // Storage can be forbidden, and anybody may have written there.

  #mirroredChoices(): Partial<Record<SettingName, unknown>> {
    try {
      const raw: unknown = JSON.parse(this.#dependencies.mirror.getItem(MIRROR_KEY) ?? 'null')
      const { person, choices } = (raw ?? {}) as { person?: unknown; choices?: unknown }
      const currentPerson = this.#dependencies.person()
      const isOwnMirror = currentPerson === '' || person === '' || person === currentPerson
      return isOwnMirror && typeof choices === 'object' && choices !== null ? choices : {}
    } catch {
      return {}
    }
  }

  #writeMirror(): void {
    try {
      const stored = { person: this.#dependencies.person(), choices: this.#choices }
      this.#dependencies.mirror.setItem(MIRROR_KEY, JSON.stringify(stored))
    } catch {
      // Then the setting comes with the desk.
    }
  }
}
