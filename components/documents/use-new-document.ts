'use client'

import { useRouter } from 'next/navigation'
import type { Command } from '@/components/commands/command-registry.ts'
import { api, type DocumentEntry } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

/** Creates a document and opens it. @param folder Where it is put; null for no folder. */
export function useNewDocument(folder: string | null = null, onCreated = () => {}) {
  const router = useRouter()
  const { run, state } = useRequest(createDocument)
  // The button stays busy until the list has made room for the document.
  const busy = state === 'pending' || state === 'done'
  const createAndOpen = async () => {
    const created = await run(folder)
    if (!created) return
    onCreated()
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

async function createDocument(folder: string | null): Promise<DocumentEntry> {
  try {
    const created = await api.createDocument()
    if (folder !== null) await placeOrSay(created.id, folder)
    return created
  } catch (error) {
    toast.error(uiStrings.newDocument.failed((error as Error).message))
    throw error
  }
}

/** A folder may be gone. The document is there all the same. */
export const placeOrSay = (document: string, folder: string): Promise<unknown> =>
  api
    .placeDocument(document, { folder })
    .catch((error: unknown) =>
      toast.error(foldersStrings.failed.move(commonStrings.untitled, (error as Error).message)),
    )
