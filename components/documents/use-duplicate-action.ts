'use client'

import { useRouter } from 'next/navigation'
import type { DocumentEntry } from '@/components/http-api'
import { toast } from '@/components/ui/toast'
import { useDuplicate } from './document-queries'
import { shownTitle } from './shown-title'
import { strings } from '@/lib/strings/documents.ts'

/** Duplicates a document and offers to open the copy. */
export function useDuplicateAction() {
  const router = useRouter()
  const { mutateAsync: duplicate } = useDuplicate()
  return async (entry: DocumentEntry): Promise<void> => {
    try {
      const copy = await duplicate(entry.id)
      const action = { label: strings.duplicate.open, onClick: () => router.push(`/d/${copy.id}`) }
      toast(strings.duplicate.done(shownTitle(copy.title)), { action })
    } catch (error) {
      toast.error(strings.duplicate.failed((error as Error).message))
    }
  }
}
