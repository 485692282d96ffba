/** Goes to what was found: the address names the letters, and the page of the document goes there (`follow-found-text.ts`). */
import type { SearchResult } from './search-result-type.ts'
import { findHashOf, shownDocument } from './found-text.ts'

interface Router {
  push(address: string): void
}

export function goToResult(router: Router, { document, snippet, owner }: SearchResult): void {
  const [mark] = snippet.marks
  const text = mark ? snippet.text.slice(mark.from, mark.to) : ''
  if (document === shownDocument()) {
    if (text !== '') location.replace(findHashOf(text))
    return
  }
  const address = `/d/${document}${findHashOf(text)}`
  // The router would ask a server for the page first, which did not answer.
  if (owner === null) location.assign(address)
  else router.push(address)
}
