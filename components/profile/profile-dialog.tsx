'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import type { Profile } from '@/components/http-api.ts'
import { useOwnProfile } from './own-profile.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { ColourChoice } from './colour-choice.tsx'
import { availableColours } from './available-colours.ts'
import { NameField } from './name-field.tsx'
import { useChangeProfile } from './use-change-profile.ts'
import { useNameDraft } from './use-name-draft.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { profileStrings } from '@/lib/strings/profile.ts'

export default function ProfileDialog({ open, onOpenChange }: PopupProps) {
  const name = useRef<HTMLInputElement>(null)
  const { profile: me } = useOwnProfile()
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal title={profileStrings.dialog.title} description={profileStrings.dialog.hint} initialFocus={name}>
        {me && <ProfileForm me={me} nameField={name} onDone={() => onOpenChange(false)} />}
      </Modal>
    </Dialog.Root>
  )
}

interface ProfileFormProps {
  readonly me: Profile
  readonly nameField: RefObject<HTMLInputElement | null>
  readonly onDone: () => void
}

function ProfileForm({ me, nameField, onDone }: ProfileFormProps) {
  const [{ ownColourName, freeColours }] = useState(availableColours)
  const shownColour = ownColourName ?? me.colour
  const [colour, setColour] = useState(shownColour)
  const { text, setText, name, isValid, problem } = useNameDraft(me.name)
  const profileChange = useChangeProfile()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return nameField.current?.focus()
    void profileChange
      .run({ ...(name !== me.name && { name }), ...(colour && colour !== shownColour && { colour }) })
      .then((saved) => saved && onDone())
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <NameField
        ref={nameField}
        label={profileStrings.dialog.name}
        value={text}
        onChange={setText}
        problem={problem}
        required
      />
      <ColourChoice free={freeColours} value={colour} onChange={setColour} />
      <p role="alert" className="text-sm text-danger empty:absolute">
        {profileChange.error?.message}
      </p>
      <div className="flex justify-end gap-2">
        <Dialog.Close className={buttonClass()}>{commonStrings.cancel}</Dialog.Close>
        <Button type="submit" look="primary" disabled={profileChange.state === 'pending'}>
          {profileStrings.dialog.save}
        </Button>
      </div>
    </form>
  )
}
