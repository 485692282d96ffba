import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { toast } from '@/components/ui/toast'
import { showOwn } from './open'
import { MARK } from './window-title'
import { windowName } from './words'
import { strings } from '@/lib/strings/windows.ts'

/** Brings a window forward, or says what the person has to do for it. */
export function showAndSay(entry: OwnWindowEntry): void {
  if (showOwn(entry) !== 'marked') return
  const name = windowName(entry)
  const mark = MARK.trim()
  toast(
    entry.here ? strings.marked.here(name, mark) : strings.marked.elsewhere(name, mark, entry.device.name),
  )
}
