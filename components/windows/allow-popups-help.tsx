import { strings } from '@/lib/strings/windows-dialog.ts'

/** Lists each address, because a browser asks for permission per address. */
export const AllowPopupsHelp = () => (
  <details className="text-sm">
    <summary className="min-h-6 select-none">{strings.allowPopups.title}</summary>
    <p className="mt-1 text-muted">{strings.allowPopups.text}</p>
  </details>
)
