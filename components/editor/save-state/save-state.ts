/** What the window says about the safety of its text. Knows the status; does not know time or React. */
import type { SyncStatus } from '@/lib/sync/status.ts'
import { closeSentence, describeWait, describeRefusal } from '@/lib/protocol/close.ts'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

export type SaveState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'sending'; readonly changes: number }
  /** There is no link, but for no longer than the grace period, and not everything is on this device. */
  | { readonly kind: 'unsent'; readonly changes: number }
  /** The server lacks the edits or has not confirmed them; closing the window or the browser loses nothing. */
  | { readonly kind: 'on-device'; readonly unsent: boolean; readonly why: string }
  /**
   * The text is the last state of a document that this person may not open any more; nothing of it is unsaved. Its owner can always open
   * it until it is deleted.
   */
  | { readonly kind: 'no-access'; readonly isDeleted: boolean }
  | { readonly kind: 'not-saved'; readonly why: string }

interface SaveDelays {
  /** There has been no link for longer than the grace period. */
  readonly isDisconnected: boolean
  /** There is a link, but no acknowledgement for much longer than a commit takes. */
  readonly isStalled: boolean
  /** Something typed here has not been written to this device for longer than a write takes. */
  readonly isDeviceBehind: boolean
}

/** "Saved" means `synced` with nothing unsaved, and nothing else. */
export function saveStateOf(status: SyncStatus, delays: SaveDelays): SaveState {
  const { document, unsaved, refusal } = status
  if (document.state === 'loading') return { kind: 'loading' }
  if (document.state === 'refused') {
    const { formerRole, reason } = document
    const { code } = reason
    return code === 'forbidden' && unsaved === 0
      ? { kind: 'no-access', isDeleted: formerRole === 'owner' }
      : { kind: 'not-saved', why: closeSentence(code) }
  }
  if (refusal) return { kind: 'not-saved', why: describeRefusal(refusal) }
  if (unsaved === 0 && document.state === 'synced') return { kind: 'saved' }
  const reason = obstacleReason(status, delays)
  if (reason)
    return isOnDevice(status, delays)
      ? { kind: 'on-device', unsent: unsaved > 0, why: reason }
      : { kind: 'not-saved', why: reason }
  if (unsaved === 0) return { kind: 'loading' }
  if (status.link.state === 'up') return { kind: 'sending', changes: unsaved }
  return isOnDevice(status, delays)
    ? { kind: 'on-device', unsent: true, why: saveStateStrings.why.noConnection }
    : { kind: 'unsent', changes: unsaved }
}

/** True of all text but what was typed in the last moment, which is being written. */
const isOnDevice = ({ unstored, isDeviceWritable }: SyncStatus, { isDeviceBehind }: SaveDelays): boolean =>
  unstored === 0 || (isDeviceWritable === true && !isDeviceBehind)

const kindsBySafety: readonly SaveState['kind'][] = [
  'saved',
  'on-device',
  'loading',
  'sending',
  'unsent',
  'no-access',
  'not-saved',
]

/** The state of several texts in one window: as safe as the least safe of them. Changes under way are counted together. */
export function leastSafeOf(states: readonly [SaveState, ...SaveState[]]): SaveState {
  const leastSafe = states.reduce((a, b) =>
    kindsBySafety.indexOf(b.kind) > kindsBySafety.indexOf(a.kind) ? b : a,
  )
  if (!('changes' in leastSafe)) return leastSafe
  const changes = states.reduce((sum, state) => sum + ('changes' in state ? state.changes : 0), 0)
  return { ...leastSafe, changes }
}

/** Whether something still has to be done for the text: such a state is worse than one known to be safe. */
export const isUnsafe = ({ kind }: SaveState): boolean =>
  kind === 'sending' || kind === 'unsent' || kind === 'not-saved'

export const isSameSaveState = (a: SaveState, b: SaveState): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** Why the server does not have the edits and will not have them within moments. */
function obstacleReason(
  { document, link, setAside }: SyncStatus,
  { isDisconnected, isStalled }: SaveDelays,
): string | null {
  if (link.state === 'stopped') return closeSentence(link.reason.code)
  if (isDisconnected) return saveStateStrings.why.noConnection
  if (setAside) return describeWait(setAside)
  if (document.state === 'synced' && document.storeFailing) return saveStateStrings.why.diskFails
  return isStalled ? saveStateStrings.why.notConfirmed : null
}

export function saveStateText(state: SaveState): string {
  switch (state.kind) {
    case 'loading':
      return saveStateStrings.short.loading
    case 'saved':
      return saveStateStrings.short.saved
    case 'sending':
      return saveStateStrings.short.sending(state.changes)
    case 'unsent':
      return saveStateStrings.short.unsent(state.changes)
    case 'on-device':
      return saveStateStrings.short.onDevice
    case 'no-access':
      return state.isDeleted ? saveStateStrings.short.deleted : saveStateStrings.short.noAccess
    case 'not-saved':
      return saveStateStrings.short.notSaved
  }
}

/** The whole sentence, for Mod+S and the hint. */
export function saveStateSentence(state: SaveState): string {
  switch (state.kind) {
    case 'loading':
      return saveStateStrings.sentence.loading
    case 'saved':
      return saveStateStrings.sentence.saved
    case 'sending':
      return saveStateStrings.sentence.sending(state.changes)
    case 'unsent':
      return saveStateStrings.sentence.unsent(state.changes, saveStateStrings.why.noConnection)
    case 'on-device':
      return state.unsent
        ? saveStateStrings.sentence.onDeviceAlone(state.why)
        : saveStateStrings.sentence.onDevice(state.why)
    case 'no-access':
      return state.isDeleted ? saveStateStrings.sentence.deleted : saveStateStrings.sentence.noAccess
    case 'not-saved':
      return saveStateStrings.sentence.notSaved(state.why)
  }
}
