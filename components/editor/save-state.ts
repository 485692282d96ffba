/** What the window says about the safety of its text. Knows the status; does not know time or React. */
import type { Status } from '@/lib/sync/status.ts'
import { closeEntry, describeClose } from '@/lib/protocol/close.ts'

export type SaveState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'sending'; readonly changes: number }
  | { readonly kind: 'not-saved'; readonly why: string }

interface Waits {
  /** No link for longer than the grace. */
  readonly cutOff: boolean
  /** A link, but no acknowledgement for much longer than a commit takes. */
  readonly stalled: boolean
}

/** "Saved" is `synced` with nothing unsaved, and nothing else. */
export function saveStateOf(
  { document, link, unsaved, refusal }: Status,
  { cutOff, stalled }: Waits,
): SaveState {
  if (document.state === 'loading') return { kind: 'loading' }
  if (document.state === 'refused')
    return { kind: 'not-saved', why: closeEntry(document.reason.code).sentence }
  if (refusal) return { kind: 'not-saved', why: describeClose(refusal) }
  if (unsaved === 0) return { kind: 'saved' }
  if (link.state === 'stopped') return { kind: 'not-saved', why: closeEntry(link.reason.code).sentence }
  if (cutOff)
    return { kind: 'not-saved', why: 'There is no connection. Your changes are sent when it is back.' }
  if (stalled) return { kind: 'not-saved', why: 'The server has not confirmed your latest changes.' }
  return { kind: 'sending', changes: unsaved }
}

export function saveStateText(state: SaveState): string {
  switch (state.kind) {
    case 'loading':
      return 'Loading…'
    case 'saved':
      return 'Saved'
    case 'sending':
      return state.changes === 1 ? 'Sending 1 change' : `Sending ${state.changes} changes`
    case 'not-saved':
      return 'Not saved'
  }
}

/** The whole sentence, for Mod+S and the tooltip. */
export function saveStateSentence(state: SaveState): string {
  switch (state.kind) {
    case 'loading':
      return 'The document is still loading.'
    case 'saved':
      return 'Everything in this window is saved on the server.'
    case 'sending':
      return `${saveStateText(state)} to the server.`
    case 'not-saved':
      return `Not saved. ${state.why}`
  }
}
