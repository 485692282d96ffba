/** Opens the search from anywhere in this window. */
import { pageCommands } from './command-registry.ts'

let queryToOpen = ''

export function openSearch(query: string): void {
  queryToOpen = query
  pageCommands.run('search')
}

/** The search opens with this query; with '' where somebody pressed its keys. */
export function takeOpeningQuery(): string {
  const query = queryToOpen
  queryToOpen = ''
  return query
}
