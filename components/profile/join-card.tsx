'use client'

import { X } from 'lucide-react'
import { useId, type FormEvent } from 'react'
import type { RedeemedShareLink, Profile } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { NameField } from './name-field.tsx'
import { useChangeProfile } from './use-change-profile.ts'
import { useNameDraft } from './use-name-draft.ts'
import { namesStrings } from '@/lib/strings/names.ts'
import { profileStrings } from '@/lib/strings/profile.ts'

interface JoinCardProps {
  readonly redeemedLink: RedeemedShareLink
  readonly me: Profile
  readonly onClose: () => void
}

/** The text gets the keys from here on, and stays where the person has scrolled it. */
const focusText = (): void =>
  document.querySelector<HTMLElement>('[data-pane=text]')?.focus({ preventScroll: true })

/** Lies over the text in the corner and takes no focus: a person who wants to write at once can. */
export default function JoinCard({ redeemedLink: { role, sharedBy }, me, onClose }: JoinCardProps) {
  const title = useId()
  const { text, setText, name, isValid, problem } = useNameDraft(me.name)
  const profileChange = useChangeProfile()
  const onJoin = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return
    focusText()
    void profileChange.run(name === me.name ? {} : { name }).then((saved) => saved && onClose())
  }
  const owner = <strong className="font-medium break-words">{sharedBy?.name ?? namesStrings.somebody}</strong>
  const onDismiss = () => {
    onClose()
    void profileChange.run({})
  }
  return (
    <section
      aria-labelledby={title}
      data-screen-only
      className="fixed inset-x-3 bottom-3 z-10 flex flex-col gap-2.5 rounded-xl border border-line bg-raised p-4 text-sm shadow-float sm:right-auto sm:left-[calc(var(--dock-left,0px)+0.75rem)] sm:w-80"
    >
      <div className="flex items-start gap-2">
        <output className="block min-w-0 flex-1 text-pretty">
          <span id={title}>
            <Sentence parts={profileStrings.joinCard[role](owner)} />
          </span>
        </output>
        <Hint text={profileStrings.joinCard.notNow}>
          <Button
            look="quiet"
            shape="icon"
            aria-label={profileStrings.joinCard.notNow}
            onClick={onDismiss}
            className="-mt-2 -mr-2"
          >
            <X size={16} aria-hidden />
          </Button>
        </Hint>
      </div>
      <form onSubmit={onJoin} className="flex items-end gap-2">
        <NameField
          label={profileStrings.joinCard.name}
          value={text}
          onChange={setText}
          problem={problem ?? profileChange.error?.message ?? null}
          className="flex-1"
        />
        <Button type="submit" look="primary" disabled={profileChange.state === 'pending'}>
          {profileStrings.joinCard.join}
        </Button>
      </form>
    </section>
  )
}
