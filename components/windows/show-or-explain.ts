import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { toast } from '@/components/ui/toast.ts'
import { showOwnWindow } from './open-windows.ts'
import { TITLE_MARK } from './window-title.ts'
import { windowName } from './window-text.ts'
import { windowsStrings } from '@/lib/strings/windows.ts'

/** Brings a window forward, or says what the person has to do instead. */
export function showWindowOrExplain(entry: OwnWindowEntry): void {
  if (showOwnWindow(entry) !== 'marked') return
  const name = windowName(entry)
  const mark = TITLE_MARK.trim()
  toast(
    entry.sameBrowser
      ? windowsStrings.marked.onThisDevice(name, mark)
      : windowsStrings.marked.onOtherDevice(name, mark, entry.device.name),
  )
}
