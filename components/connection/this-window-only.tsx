'use client'

import { Checkbox } from '@base-ui/react/checkbox'
import { Check } from 'lucide-react'
import { connectionDialogStrings } from '@/lib/strings/connection-dialog.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { rememberTransport, useTransportScope } from './remembered-transport.ts'

export function ThisWindowOnly({ choice }: { choice: TransportChoice }) {
  const { thisWindowOnly, setThisWindowOnly } = useTransportScope()
  const onChange = (checked: boolean) => {
    setThisWindowOnly(checked)
    rememberTransport(choice, checked)
  }
  return (
    <label htmlFor="only-here" className="flex w-fit cursor-pointer items-center gap-3 px-3.5 text-sm">
      <Checkbox.Root
        id="only-here"
        checked={thisWindowOnly}
        onCheckedChange={onChange}
        className="grid size-5 shrink-0 place-items-center rounded border border-edge data-checked:border-accent data-checked:bg-accent"
      >
        <Checkbox.Indicator className="text-accent-ink">
          <Check size={14} strokeWidth={3} aria-hidden />
        </Checkbox.Indicator>
      </Checkbox.Root>
      {connectionDialogStrings.transport.onlyHere}
    </label>
  )
}
