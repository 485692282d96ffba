/**
 * Keeps a search going while the text changes: which matches there are, and which of them is the current one. Knows no screen. The caller
 * decides where the search runs: here, or in a worker that can be stopped.
 */
import { runLater } from '../run-later.ts'
import * as Y from 'yjs'
import { type SearchResult, type SearchQuery, replacementOf } from './find.ts'
import { type SearchMatch } from './search-match.ts'
import { isBefore, type LinePosition, type TextLines, linesOf } from './lines.ts'
import { replaceMatches } from './replace.ts'
import { treeOf, watchTree } from './tree.ts'
import { Subscribable } from '../subscribable.ts'

/** @throws or rejects with a sentence for a person. */
export type SearchFunction = (
  texts: readonly string[],
  query: SearchQuery,
) => SearchResult | Promise<SearchResult>

export interface SearchState {
  readonly query: SearchQuery
  readonly searching: boolean
  /** Why there are no matches to show, in a sentence. */
  readonly problem: string | null
  readonly matches: readonly SearchMatch[]
  /** False where there are more. */
  readonly complete: boolean
  /** The index in `matches`; null where there are none. */
  readonly current: number | null
}

const emptyQuery: SearchQuery = { text: '', matchCase: false, wholeWords: false, regularExpression: false }

const noMatches = { searching: false, problem: null, matches: [], complete: true, current: null } as const

/** How long after a change of the text the search runs again, in ms: soon, but not at each key. */
const SEARCH_DELAY_MS = 120

const scheduleSearch = (run: () => void): (() => void) => runLater(SEARCH_DELAY_MS, run)

export class Finder {
  readonly #fragment: Y.XmlFragment
  readonly #search: SearchFunction
  readonly #listeners = new Subscribable()
  #state: SearchState = { ...noMatches, query: emptyQuery }
  /** The position of the current match, or of the last one. */
  #position: Y.RelativePosition | null = null
  /** The number of the latest search: results of an earlier one are out of date. */
  #searchNumber = 0

  constructor(fragment: Y.XmlFragment, search: SearchFunction) {
    this.#fragment = fragment
    this.#search = search
  }

  get = (): SearchState => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** Searches from now on, for as long as somebody looks. Returns a function that stops it. */
  open(): () => void {
    const stop = watchTree(this.#fragment, () => void this.#searchAgain(), scheduleSearch)
    void this.#searchAgain()
    return () => {
      stop()
      this.#searchNumber++
      this.#setState({ ...noMatches, query: this.#state.query })
    }
  }

  /** Resolves with the current match; null where there is none, or a newer search has begun. */
  runQuery(query: Partial<SearchQuery>): Promise<SearchMatch | null> {
    this.#setState({ ...this.#state, query: { ...this.#state.query, ...query } })
    return this.#searchAgain()
  }

  /** Moves to the next or the previous match, around the ends. Returns null where there is none. */
  moveBy(by: 1 | -1): SearchMatch | null {
    const { current, matches } = this.#state
    return current === null ? null : this.selectMatch((current + by + matches.length) % matches.length)
  }

  selectMatch(index: number): SearchMatch | null {
    const match = this.#state.matches[index]
    if (!match) return null
    this.#rememberPosition({ line: match.line, offset: match.offset })
    this.#setState({ ...this.#state, current: index })
    return match
  }

  /** @returns The match that comes next. */
  replace(template: string): Promise<SearchMatch | null> {
    const { current, matches } = this.#state
    const match = current === null ? undefined : matches[current]
    if (match && this.#replaceMatches([match], template) > 0) {
      const by = replacementOf(match, template, this.#state.query.regularExpression)
      this.#rememberPosition({ line: match.line, offset: match.offset + by.length })
    }
    return this.#searchAgain()
  }

  /** @returns How many were replaced. */
  replaceAll(template: string): number {
    const count = this.#replaceMatches(this.#state.matches, template)
    void this.#searchAgain()
    return count
  }

  get lines(): TextLines {
    return linesOf(treeOf(this.#fragment))
  }

  #replaceMatches(matches: readonly SearchMatch[], template: string): number {
    const { regularExpression } = this.#state.query
    const replacements = matches.map((match) => ({
      match,
      by: replacementOf(match, template, regularExpression),
    }))
    const { lines } = this
    return this.#fragment.doc!.transact(() => replaceMatches(lines, replacements), this)
  }

  async #searchAgain(): Promise<SearchMatch | null> {
    const searchNumber = ++this.#searchNumber
    const { query } = this.#state
    const { texts } = this.lines
    try {
      const pending = this.#search(texts, query)
      if (pending instanceof Promise) this.#setState({ ...this.#state, searching: true })
      const result = pending instanceof Promise ? await pending : pending
      return searchNumber === this.#searchNumber ? this.#onResult(result) : null
    } catch (error) {
      if (searchNumber === this.#searchNumber)
        this.#setState({ ...noMatches, query, problem: messageOf(error) })
      return null
    }
  }

  #onResult({ matches, complete }: SearchResult): SearchMatch | null {
    const current = this.#nearestMatch(matches)
    this.#setState({ ...noMatches, query: this.#state.query, matches, complete, current })
    return current === null ? null : matches[current]!
  }

  /** The first match from where the last one was; after the end the first of all. */
  #nearestMatch(matches: readonly SearchMatch[]): number | null {
    if (matches.length === 0) return null
    const from = this.#rememberedPosition()
    const index = from ? matches.findIndex((match) => !isBefore(match, from)) : 0
    return Math.max(index, 0)
  }

  #rememberPosition(position: LinePosition): void {
    const at = this.lines.textNodePositionAt(position)
    this.#position = at && Y.createRelativePositionFromTypeIndex(at.type, at.index)
  }

  #rememberedPosition(): LinePosition | null {
    const at =
      this.#position && Y.createAbsolutePositionFromRelativePosition(this.#position, this.#fragment.doc!)
    return at?.type instanceof Y.XmlText
      ? this.lines.linePositionOf({ type: at.type, index: at.index })
      : null
  }

  #setState(state: SearchState): void {
    this.#state = state
    this.#listeners.notify()
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
