import { api } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { fetchListAgain } from './document-queries.ts'

/** Puts a new document into the folder that is shown, if any. The folder may be gone: the document is there all the same. */
export async function placeNewDocument(document: string, folder: string | null): Promise<void> {
  try {
    if (folder !== null) await api.placeDocument(document, { folder })
  } catch (error) {
    toast.error(foldersStrings.failed.move(commonStrings.untitled, (error as Error).message))
  }
  fetchListAgain()
}
