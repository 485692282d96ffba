'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { searchDialogStrings } from '@/lib/strings/search-dialog.ts'
import { allDocuments } from './search-choices.ts'
import { SearchChoicesBar } from './search-choices-bar.tsx'
import { goToResult } from './go-to-result.ts'
import { SearchResultItem } from './search-result.tsx'
import type { SearchResult } from './search-result-type.ts'
import { type SearchAnswer, useSearch } from './use-search.ts'

interface SearchDialogProps {
  readonly initialQuery: string
  readonly onClose: () => void
}

/** One field for the titles and texts of all documents, and what was found below it. */
export default function SearchDialog({ initialQuery, onClose }: SearchDialogProps) {
  const [open, setOpen] = useState(true)
  const [query, setQuery] = useState(initialQuery)
  const [chosen, setChosen] = useState<SearchResult | null>(null)
  const router = useRouter()
  const [choices, setChoices] = useState(allDocuments)
  const answer = useSearch(query, choices)
  /** The query for which Enter was pressed before it was answered. */
  const [entered, setEntered] = useState('')
  const isAnswered = answer.query === query.trim()
  const choose = (result: SearchResult) => {
    setChosen(result)
    setOpen(false)
  }
  if (entered !== '' && isAnswered) {
    setEntered('')
    if (answer.results[0]) choose(answer.results[0])
  }
  const type = (text: string) => {
    setQuery(text)
    setEntered('')
  }
  const onOpenChangeComplete = (isOpen: boolean) => {
    if (isOpen) return
    onClose()
    if (chosen) goToResult(router, chosen)
  }
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={onOpenChangeComplete}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/30 dark:bg-black/55" />
        <Dialog.Popup className="popup-motion fixed inset-x-0 top-0 z-50 mx-auto flex max-h-[92dvh] w-full max-w-2xl flex-col overflow-hidden rounded-b-2xl border border-line bg-raised shadow-float outline-none sm:top-[8vh] sm:max-h-[80vh] sm:rounded-2xl">
          <Dialog.Title className="sr-only">{searchDialogStrings.title}</Dialog.Title>
          <Autocomplete.Root
            open
            inline
            mode="none"
            filter={null}
            value={query}
            onValueChange={(text, { reason }) => reason !== 'item-press' && type(text)}
            items={answer.results}
            itemToStringValue={({ title }: SearchResult) => title}
            autoHighlight="always"
          >
            <Autocomplete.InputGroup className="flex items-center gap-2.5 border-b border-line px-4 text-muted">
              <Search size={17} aria-hidden className="shrink-0" />
              <Autocomplete.Input
                aria-label={searchDialogStrings.title}
                placeholder={searchDialogStrings.placeholder}
                onKeyDown={(event) => {
                  const isComposing = event.keyCode === 229
                  if (event.key !== 'Enter' || isComposing || isAnswered) return
                  event.preventBaseUIHandler()
                  setEntered(query.trim())
                }}
                className="h-12 min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-muted focus:outline-none"
              />
            </Autocomplete.InputGroup>
            <SearchChoicesBar choices={choices} onChange={setChoices} />
            <SearchNotice query={query} answer={answer} />
            <Autocomplete.List className="overflow-y-auto overscroll-contain p-1.5 data-empty:hidden">
              {(result: SearchResult) => (
                <Autocomplete.Item
                  key={result.document}
                  value={result}
                  onClick={() => choose(result)}
                  className="rounded-lg px-3 py-2.5 outline-none select-none data-highlighted:bg-sunk"
                >
                  <SearchResultItem result={result} />
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
            {answer.showMore && (
              <div className="flex justify-center border-t border-line p-2">
                <Button shape="small" look="quiet" onClick={answer.showMore} disabled={answer.isSearching}>
                  {searchDialogStrings.more}
                </Button>
              </div>
            )}
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Says what stands in the place of results, or above them. */
function SearchNotice({ query, answer }: { query: string; answer: SearchAnswer }) {
  const { results, problem, isAnswer, retry } = answer
  return (
    <>
      {problem !== null && (
        <div role="alert" className="flex items-center gap-3 px-4 py-3 text-sm text-muted">
          <p className="min-w-0 flex-1">{problem}</p>
          {retry && (
            <Button shape="small" onClick={retry}>
              {commonStrings.tryAgain}
            </Button>
          )}
        </div>
      )}
      <output className={results.length > 0 || !isAnswer ? 'sr-only' : 'px-4 py-6 text-center text-muted'}>
        {statusOf(query.trim(), answer)}
      </output>
    </>
  )
}

function statusOf(query: string, { results, isSearching, isAnswer }: SearchAnswer): string {
  if (query === '') return searchDialogStrings.hint
  if (isSearching) return searchDialogStrings.searching
  if (results.length > 0) return searchDialogStrings.found(results.length)
  return isAnswer ? searchDialogStrings.nothing(query) : ''
}
