'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useMemo, useState } from 'react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { api, type OpenedEntry } from '@/components/http-api.ts'
import { readBranch, rememberBranch } from './remembered-branches.ts'
import { toastNotLoaded } from '@/components/ui/toast.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { proposeStrings } from '@/lib/strings/propose.ts'

interface Answer {
  readonly entry: OpenedEntry
  /** Whether there was no open proposal when this window first looked: then one that it sees has just come. */
  readonly sawNone: boolean
}

/**
 * What of proposals the page of a document has to show, before it loads the code for it: most documents have none. Has the command that
 * begins one.
 */
export function useProposalFacts(document: string, opened: OpenDocument, isSynced: boolean) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  useEffect(() => {
    if (!isSynced) return
    const end = new AbortController()
    const read = () =>
      void api.getDocument(document, end.signal).then(
        (entry) => {
          rememberBranch(document, entry.proposal ?? null)
          setAnswer((before) => ({ entry, sawNone: before?.sawNone ?? (entry.openProposals ?? 0) === 0 }))
        },
        // It is asked again with the next change of rights, or of the link.
        () => undefined,
      )
    read()
    const stop = opened.onRights(read)
    return () => {
      end.abort()
      stop()
    }
  }, [document, opened, isSynced])
  const entry = answer?.entry
  const branch = useMemo(() => readBranch(document), [document])
  useProposeCommand(document, opened, entry?.mayPropose === true)
  return {
    hasOpen: (entry?.openProposals ?? 0) > 0,
    sawNone: answer?.sawNone ?? false,
    isProposal: Boolean(entry ? entry.proposal : branch),
    hasBar: Boolean(entry ? (entry.proposal ?? (entry.mayPropose && entry.role === 'viewer')) : branch),
  }
}

function useProposeCommand(document: string, opened: OpenDocument, mayPropose: boolean): void {
  const router = useRouter()
  const [isBusy, setBusy] = useState(false)
  const propose = async () => {
    setBusy(true)
    try {
      const code = await import('./propose.ts').catch(() => null)
      if (code) router.push(`/d/${await code.beginProposal(document, opened)}`)
      else toastNotLoaded()
    } catch {
      // A toast has said it.
    } finally {
      setBusy(false)
    }
  }
  useCommands([
    {
      id: 'propose',
      title: proposeStrings.command,
      words: proposeStrings.words,
      section: 'Document',
      when: () => mayPropose && !isBusy,
      run: () => void propose(),
    },
  ])
}
