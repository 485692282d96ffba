/** Reloads every window when this browser's person changes, so that none continues with the old session, text or name. */
import { principalKey } from '@/lib/sync/local/remembered-principal.ts'

/**
 * Returns a function that stops it. Typed text stays on this device under its author's name (D6), and the page asks before unstored text is
 * lost.
 */
export function reloadOnPersonChange(): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    if (key === principalKey && oldValue && newValue && oldValue !== newValue) location.reload()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
