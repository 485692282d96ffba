'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import type { Profile } from '@/components/api'
import { useMe } from '@/components/documents/queries'
import { Button, buttonClass } from '@/components/ui/button'
import { Modal } from '@/components/ui/modal'
import type { PopupProps } from '@/components/ui/use-popup'
import { ColourChoice } from './colour-choice'
import { coloursHere } from './colours-here'
import { NameField } from './name-field'
import { useChangeProfile } from './use-profile'
import { useNameDraft } from './use-name-draft'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/profile.ts'

export default function ProfileDialog({ open, onOpenChange }: PopupProps) {
  const name = useRef<HTMLInputElement>(null)
  const { data: me } = useMe()
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal title={strings.dialog.title} description={strings.dialog.hint} initialFocus={name}>
        {me && <ProfileForm me={me} nameField={name} onDone={() => onOpenChange(false)} />}
      </Modal>
    </Dialog.Root>
  )
}

interface FormProps {
  readonly me: Profile
  readonly nameField: RefObject<HTMLInputElement | null>
  readonly onDone: () => void
}

function ProfileForm({ me, nameField, onDone }: FormProps) {
  const [{ own, free }] = useState(coloursHere)
  const shown = own ?? me.colour
  const [colour, setColour] = useState(shown)
  const { text, setText, name, isGood, problem } = useNameDraft(me.name)
  const change = useChangeProfile()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isGood) return nameField.current?.focus()
    change.mutate(
      { ...(name !== me.name && { name }), ...(colour && colour !== shown && { colour }) },
      { onSuccess: onDone },
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <NameField
        ref={nameField}
        label={strings.dialog.name}
        value={text}
        onChange={setText}
        problem={problem}
        required
      />
      <ColourChoice free={free} value={colour} onChange={setColour} />
      <p role="alert" className="text-sm text-danger empty:absolute">
        {change.error?.message}
      </p>
      <div className="flex justify-end gap-2">
        <Dialog.Close className={buttonClass()}>{common.cancel}</Dialog.Close>
        <Button type="submit" look="primary" disabled={change.isPending}>
          {strings.dialog.save}
        </Button>
      </div>
    </form>
  )
}
