'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Command } from '@/components/commands/command-registry.ts'
import { toast } from '@/components/ui/toast.ts'
import { useCreateDocument } from './document-queries.ts'
import { strings } from '@/lib/strings/ui.ts'

/** Creates a document and opens it. */
export function useNewDocument() {
  const router = useRouter()
  const creation = useCreateDocument()
  const [isLeaving, setIsLeaving] = useState(false)
  const busy = creation.isPending || isLeaving
  const createDocument = () =>
    creation.mutate(undefined, {
      onSuccess: ({ id }) => {
        setIsLeaving(true)
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
    run: createDocument,
  }
  return { start: createDocument, busy, command }
}
