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
import { type SearchedLines, searchedLinesOf } from './searched-lines.ts'
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
  /** The index in `matches` of the one that the person was brought to; null for none. */
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
  /** The position of the current match, of the last one, or of the caret. */
  #position: Y.RelativePosition | null = null
  /** The position from which a query searches: while its letters are typed, each of them searches from the same one. */
  #queryStart: Y.RelativePosition | null = null
  /** The number of the latest search: results of an earlier one are out of date. */
  #searchNumber = 0

  constructor(fragment: Y.XmlFragment, search: SearchFunction) {
    this.#fragment = fragment
    this.#search = search
  }

  get = (): SearchState => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** Searches from now on, for as long as somebody looks. It brings nobody to a match. Returns a function that stops it. */
  open(): () => void {
    const stop = watchTree(this.#fragment, () => void this.#searchAgain(), scheduleSearch)
    void this.#searchAgain()
    return () => {
      stop()
      this.#searchNumber++
      this.#setState({ ...noMatches, query: this.#state.query })
    }
  }

  /** The next query searches from there, where the caret is. */
  startAt(position: LinePosition): void {
    this.#rememberPosition(position)
    this.#setState({ ...this.#state, current: null })
  }

  /** Resolves with the current match, which the caller shows; null where there is none, or a newer search has begun. */
  runQuery(query: Partial<SearchQuery>): Promise<SearchMatch | null> {
    this.#setState({ ...this.#state, query: { ...this.#state.query, ...query } })
    this.#position = this.#queryStart
    return this.#searchAgain({ choosesMatch: true })
  }

  /** Moves to the next or the previous match, around the ends. Returns null where there is none. */
  moveBy(by: 1 | -1): SearchMatch | null {
    const { current, matches } = this.#state
    if (current !== null) return this.selectMatch((current + by + matches.length) % matches.length)
    const next = this.#nearestMatch(matches)
    return next === null
      ? null
      : this.selectMatch(by > 0 ? next : (next - 1 + matches.length) % matches.length)
  }

  selectMatch(index: number): SearchMatch | null {
    const match = this.#state.matches[index]
    if (!match) return null
    this.#rememberPosition({ line: match.line, offset: match.offset })
    this.#setState({ ...this.#state, current: index })
    return match
  }

  /**
   * Replaces the current match. Where there is none, nothing is replaced: the person has not seen the next one yet.
   * @returns The match that comes next, which the caller shows.
   */
  replace(template: string): Promise<SearchMatch | null> {
    const { current, matches } = this.#state
    const match = current === null ? undefined : matches[current]
    if (match) {
      const isReplaced = this.#replaceMatches([match], template) > 0
      const by = isReplaced ? replacementOf(match, template, this.#state.query.regularExpression) : match.text
      // What is left alone is passed over; what others have changed meanwhile is not.
      if (isReplaced || match.found)
        this.#rememberPosition({ line: match.line, offset: match.offset + by.length })
    }
    return this.#searchAgain({ choosesMatch: true })
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

  /** What is searched. */
  get searchedLines(): SearchedLines {
    return searchedLinesOf(this.lines)
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

  /** @param choosesMatch Whether the nearest match becomes the current one; if not, the current one stays, if it still exists. */
  async #searchAgain({ choosesMatch = false } = {}): Promise<SearchMatch | null> {
    const searchNumber = ++this.#searchNumber
    const { query } = this.#state
    const { texts, locateMatches } = this.searchedLines
    try {
      const pending = this.#search(texts, query)
      if (pending instanceof Promise) this.#setState({ ...this.#state, searching: true })
      const result = locateMatches(pending instanceof Promise ? await pending : pending)
      return searchNumber === this.#searchNumber ? this.#onResult(result, choosesMatch) : null
    } catch (error) {
      if (searchNumber === this.#searchNumber)
        this.#setState({ ...noMatches, query, problem: messageOf(error) })
      return null
    }
  }

  #onResult({ matches, complete }: SearchResult, choosesMatch: boolean): SearchMatch | null {
    const current = choosesMatch ? this.#nearestMatch(matches) : this.#sameMatch(matches)
    const match = current === null ? null : matches[current]!
    if (match) this.#position = this.#relativePositionOf(match)
    this.#setState({ ...noMatches, query: this.#state.query, matches, complete, current })
    return match
  }

  /** The first match from where the last one was; after the end the first of all. */
  #nearestMatch(matches: readonly SearchMatch[]): number | null {
    if (matches.length === 0) return null
    const from = this.#rememberedPosition()
    const index = from ? matches.findIndex((match) => !isBefore(match, from)) : 0
    return Math.max(index, 0)
  }

  /** The current match after an edit. Another one in its place has been shown to nobody. */
  #sameMatch(matches: readonly SearchMatch[]): number | null {
    const from = this.#state.current === null ? null : this.#rememberedPosition()
    const index = matches.findIndex(({ line, offset }) => line === from?.line && offset === from.offset)
    return index === -1 ? null : index
  }

  /** The next query and the next step go on from there. */
  #rememberPosition(position: LinePosition): void {
    this.#position = this.#queryStart = this.#relativePositionOf(position)
  }

  /** A line without text has no position of its own; the next one with text has. */
  #relativePositionOf({ line, offset }: LinePosition): Y.RelativePosition | null {
    const { lines } = this
    let at = lines.textNodePositionAt({ line, offset })
    for (let next = line + 1; !at && next < lines.texts.length; next++)
      at = lines.textNodePositionAt({ line: next, offset: 0 })
    return at && Y.createRelativePositionFromTypeIndex(at.type, at.index)
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
