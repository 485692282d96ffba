/** A page of what is found: of the server, and without it of what this device holds. */
import { ApiRequestError, api } from '@/components/http-api.ts'
import { BadQuery } from '@/lib/search/search-query.ts'
import { searchDialogStrings } from '@/lib/strings/search-dialog.ts'
import { allDocuments, type SearchChoices, searchParametersOf } from './search-choices.ts'
import type { DeviceTexts } from './search-device.ts'
import type { SearchResult } from './search-result-type.ts'

export interface FoundPage {
  readonly query: string
  readonly results: readonly SearchResult[]
  /** The cursor of the next page; null after the last. */
  readonly next: string | null
  /** Sentences; null where the server has answered. */
  readonly problem: string | null
  /** False where nothing was searched. */
  readonly isAnswer: boolean
  readonly canRetry: boolean
}

/** @throws {ApiRequestError} for a later page than the first: what was found before it stays. */
export async function findPage(
  query: string,
  choices: SearchChoices,
  cursor: string | null,
  texts: DeviceTexts,
  signal: AbortSignal,
): Promise<FoundPage> {
  try {
    const parameters = searchParametersOf(choices, Date.now())
    const page = await api.search({ q: query, ...parameters, cursor }, signal)
    return { query, ...page, problem: null, isAnswer: true, canRetry: false }
  } catch (error) {
    if (!(error instanceof ApiRequestError) || cursor !== null) throw error
    if (error.status === 0) return findOnDevice(query, choices, error.message, texts, signal)
    return unanswered(query, error.message, error.status !== 400)
  }
}

async function findOnDevice(
  query: string,
  { place, edited }: SearchChoices,
  problem: string,
  texts: DeviceTexts,
  signal: AbortSignal,
): Promise<FoundPage> {
  try {
    const { searchDevice } = await import('./search-device.ts')
    const { results, unread } = await searchDevice(query, texts, signal)
    const sentences = [
      problem,
      searchDialogStrings.onDevice,
      ...(place === allDocuments.place && edited === allDocuments.edited
        ? []
        : [searchDialogStrings.choicesNeedServer]),
      ...(unread > 0 ? [searchDialogStrings.unread(unread)] : []),
    ]
    return { query, results, next: null, problem: sentences.join(' '), isAnswer: true, canRetry: true }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof BadQuery) return unanswered(query, error.message, false)
    return unanswered(query, `${problem} ${searchDialogStrings.deviceFailed}`, true)
  }
}

const unanswered = (query: string, problem: string, canRetry: boolean): FoundPage => ({
  query,
  results: [],
  next: null,
  problem,
  isAnswer: false,
  canRetry,
})

/** Each document once: where the order has changed between two pages, the second one may have it again. */
export function resultsOf(pages: readonly FoundPage[]): SearchResult[] {
  const known = new Set<string>()
  return pages.flatMap(({ results }) =>
    results.filter(({ document }) => known.size < known.add(document).size),
  )
}
