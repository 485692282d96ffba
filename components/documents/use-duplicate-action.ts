'use client'

import { useRouter } from 'next/navigation'
import type { DocumentEntry } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { useDuplicate } from './document-queries.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

/** Duplicates a document and offers to open the copy. */
export function useDuplicateAction() {
  const router = useRouter()
  const { mutateAsync: duplicate } = useDuplicate()
  return async (entry: Pick<DocumentEntry, 'id'>): Promise<void> => {
    try {
      const copy = await duplicate(entry.id)
      const action = { label: documentsStrings.duplicate.open, onClick: () => router.push(`/d/${copy.id}`) }
      toast(documentsStrings.duplicate.done(shownTitle(copy.title)), { action })
    } catch (error) {
      toast.error(documentsStrings.duplicate.failed((error as Error).message))
    }
  }
}
