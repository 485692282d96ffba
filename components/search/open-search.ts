/** Opens the search from anywhere in this window. */
import { pageCommands } from '@/components/commands/command-registry.ts'

let queryToOpen = ''

export function openSearch(query: string): void {
  queryToOpen = query
  pageCommands.run('search')
}

/** What the search is opened with; '' where its keys were pressed. */
export function takeOpeningQuery(): string {
  const query = queryToOpen
  queryToOpen = ''
  return query
}
