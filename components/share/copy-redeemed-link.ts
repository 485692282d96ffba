import { api } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

/** Copies the edit link by which this person came, so that they can pass it on. */
export async function copyRedeemedLink(document: string): Promise<void> {
  try {
    const url = await api.findRedeemedLink(document)
    if (url !== null) await navigator.clipboard.writeText(new URL(url, location.origin).href)
    toast(url === null ? documentsStrings.copyLink.none : documentsStrings.copyLink.done)
  } catch (error) {
    toast.error(documentsStrings.copyLink.failed((error as Error).message))
  }
}
