import { strings } from '@/lib/strings/windows-dialog.ts'

/** Sites are told apart by their address, so a browser asks for each. */
export const AllowPopupsHelp = () => (
  <details className="text-sm">
    <summary className="min-h-6 select-none">{strings.allowPopups.title}</summary>
    <p className="mt-1 text-muted">{strings.allowPopups.text}</p>
  </details>
)
