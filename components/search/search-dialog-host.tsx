'use client'

import { useState } from 'react'
import { hasNoOpenOverlay } from '@/components/commands/open-overlays.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { uiStrings } from '@/lib/strings/ui.ts'
import { takeOpeningQuery } from '@/components/commands/open-search.ts'

const loadDialog = () => import('./search-dialog.tsx')

/** Searches in all documents over any page. A page renders it once. */
export function SearchDialogHost() {
  const [query, setQuery] = useState<string | null>(null)
  useCommands([
    {
      id: 'search',
      ...uiStrings.search,
      section: 'Go to',
      keys: 'Mod+Shift+F',
      when: hasNoOpenOverlay,
      run: () => setQuery(takeOpeningQuery()),
    },
  ])
  const close = () => setQuery(null)
  return (
    query !== null && (
      <LazyComponent load={loadDialog} props={{ initialQuery: query, onClose: close }} onLoadFailed={close} />
    )
  )
}
