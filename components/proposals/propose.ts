import type { OpenDocument } from '@/lib/client.ts'
import { api } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

/** The proposal that this window has begun last, until its page takes the caret into the text. */
let begun: string | null = null

/** Whether this window has just begun the proposal. */
export function takeBegun(document: string): boolean {
  const isBegun = begun === document
  if (isBegun) begun = null
  return isBegun
}

/** Begins a proposal with the text that is on screen. Returns its id. @throws what went wrong, after a toast has said it. */
export async function beginProposal(document: string, opened: OpenDocument, title = ''): Promise<string> {
  try {
    await opened.whenSaved()
    begun = (await api.createProposal(document, title)).id
    return begun
  } catch (error) {
    toast.error(proposalsStrings.propose.failed((error as Error).message))
    throw error
  }
}
