import { toast } from '@/components/ui/toast.ts'
import { positionLinkStrings } from '@/lib/strings/position-link.ts'

/** @param hash From `positionHashOf`. */
export async function copyLinkTo(document: string, hash: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(`/d/${document}${hash}`, location.origin).href)
    toast(positionLinkStrings.copied, { id: 'position-link' })
  } catch {
    toast.error(positionLinkStrings.notCopied, { id: 'position-link' })
  }
}
