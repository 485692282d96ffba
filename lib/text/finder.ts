/**
 * A search that goes on while the text changes: which matches there are, and which of them is looked at. Knows no screen; where the
 * searching is done (here, or in a worker that can be stopped) is its maker's affair.
 */
import * as Y from 'yjs'
import { type Found, type Match, type Query, replacementOf } from './find.ts'
import { isBefore, type LinePlace, type Lines, linesOf } from './lines.ts'
import { replaceIn } from './replace.ts'
import { treeOf, watchTree } from './tree.ts'
import { notifyAll } from '../notify-all.ts'

/** @throws or rejects with a sentence for a person. */
export type Search = (texts: readonly string[], query: Query) => Found | Promise<Found>

export interface Finding {
  readonly query: Query
  readonly searching: boolean
  /** Why there are no matches to show, in a sentence. */
  readonly problem: string | null
  readonly matches: readonly Match[]
  /** False where there are more. */
  readonly complete: boolean
  /** Among `matches`; null where there are none. */
  readonly current: number | null
}

const noQuery: Query = { text: '', matchCase: false, wholeWords: false, regularExpression: false }

const nothing = { searching: false, problem: null, matches: [], complete: true, current: null } as const

/** How long after a change of the text the search runs again, in ms: soon, and not at each key. */
const AGAIN_MS = 120

const soon = (run: () => void): (() => void) => {
  const timer = setTimeout(run, AGAIN_MS)
  return () => clearTimeout(timer)
}

export class Finder {
  readonly #fragment: Y.XmlFragment
  readonly #search: Search
  readonly #listeners = new Set<() => void>()
  #finding: Finding = { ...nothing, query: noQuery }
  /** Of the match that is looked at, or was. */
  #place: Y.RelativePosition | null = null
  /** Of the latest search: what an earlier one brings is out of date. */
  #run = 0

  constructor(fragment: Y.XmlFragment, search: Search) {
    this.#fragment = fragment
    this.#search = search
  }

  get = (): Finding => this.#finding

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Searches from now on, for as long as somebody looks. Returns its undo. */
  open(): () => void {
    const stop = watchTree(this.#fragment, () => void this.#again(), soon)
    void this.#again()
    return () => {
      stop()
      this.#run++
      this.#set({ ...nothing, query: this.#finding.query })
    }
  }

  /** Resolves with the match to look at; null where there is none, or something else is looked for meanwhile. */
  ask(query: Partial<Query>): Promise<Match | null> {
    this.#set({ ...this.#finding, query: { ...this.#finding.query, ...query } })
    return this.#again()
  }

  /** The next match, or the one before: round and round. Null where there is none. */
  step(by: 1 | -1): Match | null {
    const { current, matches } = this.#finding
    return current === null ? null : this.choose((current + by + matches.length) % matches.length)
  }

  choose(index: number): Match | null {
    const match = this.#finding.matches[index]
    if (!match) return null
    this.#remember({ line: match.line, offset: match.offset })
    this.#set({ ...this.#finding, current: index })
    return match
  }

  /** @returns The match that comes next. */
  replace(template: string): Promise<Match | null> {
    const { current, matches } = this.#finding
    const match = current === null ? undefined : matches[current]
    if (match && this.#exchange([match], template) > 0) {
      const by = replacementOf(match, template, this.#finding.query.regularExpression)
      this.#remember({ line: match.line, offset: match.offset + by.length })
    }
    return this.#again()
  }

  /** @returns How many there were. */
  replaceAll(template: string): number {
    const count = this.#exchange(this.#finding.matches, template)
    void this.#again()
    return count
  }

  get lines(): Lines {
    return linesOf(treeOf(this.#fragment))
  }

  #exchange(matches: readonly Match[], template: string): number {
    const { regularExpression } = this.#finding.query
    const replacements = matches.map((match) => ({
      match,
      by: replacementOf(match, template, regularExpression),
    }))
    const { lines } = this
    return this.#fragment.doc!.transact(() => replaceIn(lines, replacements), this)
  }

  async #again(): Promise<Match | null> {
    const run = ++this.#run
    const { query } = this.#finding
    const { texts } = this.lines
    try {
      const searched = this.#search(texts, query)
      if (searched instanceof Promise) this.#set({ ...this.#finding, searching: true })
      const found = searched instanceof Promise ? await searched : searched
      return run === this.#run ? this.#found(found) : null
    } catch (error) {
      if (run === this.#run) this.#set({ ...nothing, query, problem: sentenceOf(error) })
      return null
    }
  }

  #found({ matches, complete }: Found): Match | null {
    const current = this.#nearest(matches)
    this.#set({ ...nothing, query: this.#finding.query, matches, complete, current })
    return current === null ? null : matches[current]!
  }

  /** The first one from where the last was; the first of all behind the end. */
  #nearest(matches: readonly Match[]): number | null {
    if (matches.length === 0) return null
    const from = this.#remembered()
    const index = from ? matches.findIndex((match) => !isBefore(match, from)) : 0
    return Math.max(index, 0)
  }

  #remember(place: LinePlace): void {
    const at = this.lines.at(place)
    this.#place = at && Y.createRelativePositionFromTypeIndex(at.type, at.index)
  }

  #remembered(): LinePlace | null {
    const at = this.#place && Y.createAbsolutePositionFromRelativePosition(this.#place, this.#fragment.doc!)
    return at?.type instanceof Y.XmlText ? this.lines.find({ type: at.type, index: at.index }) : null
  }

  #set(finding: Finding): void {
    this.#finding = finding
    notifyAll(this.#listeners)
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
