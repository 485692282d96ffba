import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { toast } from '@/components/ui/toast'
import { showOwn } from './open'
import { MARK } from './window-title'
import { windowName } from './words'

/** Brings a window forward, or says what the person has to do for it. */
export function showAndSay(entry: OwnWindowEntry): void {
  if (showOwn(entry) === 'marked')
    toast(`${windowName(entry)} is marked ${MARK.trim()} ${whereMarked(entry)}.`)
}

const whereMarked = ({ here, device }: OwnWindowEntry): string =>
  here ? 'among your tabs and in your taskbar' : `on ${device.name}`
