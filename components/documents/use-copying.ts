'use client'

import { useRouter } from 'next/navigation'
import type { DocumentEntry } from '@/components/api'
import { toast } from '@/components/ui/toast'
import { useDuplicate } from './queries'
import { titleOf } from './title'

/** Duplicates a document, and offers to go to the copy. */
export function useCopying() {
  const router = useRouter()
  const { mutateAsync: duplicate } = useDuplicate()
  return async (entry: DocumentEntry): Promise<void> => {
    try {
      const copy = await duplicate(entry.id)
      const action = { label: 'Open', onClick: () => router.push(`/d/${copy.id}`) }
      toast(`“${titleOf(copy.title)}” is made.`, { action })
    } catch (error) {
      toast.error(`No copy was made. ${(error as Error).message}`)
    }
  }
}
