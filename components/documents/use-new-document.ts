'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Command } from '@/components/commands/registry'
import { toast } from '@/components/ui/toast'
import { useCreateDocument } from './queries'
import { strings } from '@/lib/strings/ui.ts'

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
      onError: (error) => toast.error(strings.newDocument.failed(error.message)),
    })
  const command: Command = {
    id: 'new-document',
    title: strings.newDocument.title,
    section: 'Document',
    words: strings.newDocument.words,
    when: () => !busy,
    run: start,
  }
  return { start, busy, command }
}
