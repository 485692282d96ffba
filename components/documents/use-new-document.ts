'use client'

import { useRouter } from 'next/navigation'
import type { Command } from '@/components/commands/command-registry.ts'
import { api, type DocumentEntry } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

/** Creates a document and opens it. @param onCreated Is waited for before the document is opened. */
export function useNewDocument(onCreated?: (document: string) => Promise<unknown>) {
  const router = useRouter()
  const { run, state } = useRequest(createDocument)
  // The button stays busy until the list has made room for the document.
  const busy = state === 'pending' || state === 'done'
  const createAndOpen = async () => {
    const created = await run(undefined)
    if (!created) return
    await onCreated?.(created.id)
    router.push(`/d/${created.id}`)
  }
  const command: Command = {
    id: 'new-document',
    title: uiStrings.newDocument.title,
    section: 'Document',
    words: uiStrings.newDocument.words,
    when: () => !busy,
    run: () => void createAndOpen(),
  }
  return { createDocument: () => void createAndOpen(), busy, command }
}

async function createDocument(): Promise<DocumentEntry> {
  try {
    return await api.createDocument()
  } catch (error) {
    toast.error(uiStrings.newDocument.failed((error as Error).message))
    throw error
  }
}
