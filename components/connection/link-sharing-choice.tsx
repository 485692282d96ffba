'use client'

import { useId, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { connectionDialogStrings } from '@/lib/strings/connection-dialog.ts'
import type { LinkSharing } from '@/lib/transports/transport.ts'
import {
  rememberedLinkSharing,
  rememberLinkSharing,
  linkSharingNames,
  linkSharingChoices,
} from './remembered-link-sharing.ts'

export function LinkSharingChoice({ opened }: { opened: Pick<OpenDocument, 'setSharing'> }) {
  const id = useId()
  const [sharing, setSharing] = useState(rememberedLinkSharing)
  const onChoose = (next: LinkSharing): void => {
    setSharing(next)
    rememberLinkSharing(next)
    opened.setSharing(next)
  }
  return (
    <div className="flex flex-col gap-1 px-3.5 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <label htmlFor={id}>{connectionDialogStrings.sharing.label}</label>
        <select
          id={id}
          value={sharing}
          onChange={({ target }) => onChoose(target.value as LinkSharing)}
          aria-describedby={`${id}-what`}
          className="h-8 rounded-lg border border-edge bg-transparent px-2"
        >
          {linkSharingChoices.map((each) => (
            <option key={each} value={each}>
              {linkSharingNames[each]}
            </option>
          ))}
        </select>
      </div>
      <p id={`${id}-what`} className="text-muted">
        {connectionDialogStrings.sharing.hint}
      </p>
    </div>
  )
}
