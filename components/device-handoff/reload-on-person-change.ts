/** When this browser becomes somebody else's, no window of it may go on as who it was: its session, its text, its name. */
import { principalKey } from '@/lib/sync/local/remembered-principal.ts'

/** Returns its undo. What was typed stays on this device under its author's name (D6), and the page asks before unstored text goes. */
export function reloadOnPersonChange(): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    if (key === principalKey && oldValue && newValue && oldValue !== newValue) location.reload()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
