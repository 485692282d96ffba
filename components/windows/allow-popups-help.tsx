import { windowsDialogStrings } from '@/lib/strings/windows-dialog.ts'

/** Lists each address, because a browser asks for permission per address. */
export const AllowPopupsHelp = () => (
  <details className="text-sm">
    <summary className="min-h-6 select-none">{windowsDialogStrings.allowPopups.title}</summary>
    <p className="mt-1 text-muted">{windowsDialogStrings.allowPopups.text}</p>
  </details>
)
