/** What a window says while it cannot connect, and the way out of a pinned transport that no longer works. */
import type { OpenDocument } from '@/lib/client.ts'
import { describeWait } from '@/lib/protocol/close.ts'
import { connectionStrings } from '@/lib/strings/connection.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { rememberTransport } from './remembered-transport.ts'
import { transportNameOf } from './connection-text.ts'

type WaitingStatus = Pick<StableSyncStatus, 'choice' | 'evidence' | 'setAside'>

/** Read from the evidence instead of the link: the link's state changes with every attempt, and the sentence would change with it. */
export function waitingSentence({ choice, evidence, setAside }: WaitingStatus): string {
  if (setAside) return describeWait(setAside)
  const triedFindings = evidence.filter(
    ({ transport, at }) => at !== undefined && (choice === 'automatic' || transport === choice),
  )
  const latest = triedFindings.toSorted((a, b) => b.at! - a.at!)[0]
  const reasonText = latest
    ? connectionStrings.waiting.failed(transportNameOf(latest.transport), latest.words)
    : connectionStrings.waiting.silent
  return choice === 'automatic'
    ? reasonText
    : connectionStrings.waiting.pinned(transportNameOf(choice), reasonText)
}

/** Forgets the pin at once: it carried nothing, and the next window must not run into it again. */
export async function allowAnyTransport(
  opened: Pick<OpenDocument, 'switchTransport'>,
  thisWindowOnly: boolean,
): Promise<void> {
  rememberTransport('automatic', thisWindowOnly)
  // The status shows a failure, and lets the person try again.
  await opened.switchTransport('automatic').catch(() => undefined)
}
