'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Command } from '@/components/commands/registry'
import { toast } from '@/components/ui/toast'
import { useCreateDocument } from './queries'

/** Makes a document and goes there. */
export function useNewDocument() {
  const router = useRouter()
  const create = useCreateDocument()
  const [leaving, setLeaving] = useState(false)
  const busy = create.isPending || leaving
  const start = () =>
    create.mutate(undefined, {
      onSuccess: ({ id }) => {
        setLeaving(true)
        router.push(`/d/${id}`)
      },
      onError: (error) => toast.error(`No document was made. ${error.message}`),
    })
  const command: Command = {
    id: 'new-document',
    title: 'New document',
    section: 'Document',
    words: 'create make',
    when: () => !busy,
    run: start,
  }
  return { start, busy, command }
}
