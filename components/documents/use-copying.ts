'use client'

import { useRouter } from 'next/navigation'
import type { DocumentEntry } from '@/components/api'
import { toast } from '@/components/ui/toast'
import { useDuplicate } from './queries'
import { titleOf } from './title'
import { strings } from '@/lib/strings/documents.ts'

/** Duplicates a document, and offers to go to the copy. */
export function useCopying() {
  const router = useRouter()
  const { mutateAsync: duplicate } = useDuplicate()
  return async (entry: DocumentEntry): Promise<void> => {
    try {
      const copy = await duplicate(entry.id)
      const action = { label: strings.duplicate.open, onClick: () => router.push(`/d/${copy.id}`) }
      toast(strings.duplicate.done(titleOf(copy.title)), { action })
    } catch (error) {
      toast.error(strings.duplicate.failed((error as Error).message))
    }
  }
}
