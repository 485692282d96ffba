'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { Profile } from '@/components/api'
import { useMe } from '@/components/documents/queries'
import { NameField } from './name-field'
import { useChangeProfile } from './use-profile'
import { useNameDraft } from './use-name-draft'
import { strings } from '@/lib/strings/profile.ts'

/** Asks somebody who shares for the first time how others shall see them. */
export function ShareName() {
  const { data: me, isPlaceholderData } = useMe()
  const [wasAsked] = useState(me?.asked ?? true)
  return !wasAsked && me && !isPlaceholderData ? <Asked me={me} /> : null
}

/** Kept when the field is left: whoever goes on to make a link has answered. */
function Asked({ me }: { me: Profile }) {
  const { text, setText, name, isGood, problem } = useNameDraft(me.name)
  const change = useChangeProfile()
  const keep = () => {
    if (isGood && name !== me.name) change.mutate({ name })
  }
  const onClosed = useEffectEvent(() => {
    if (!me.asked) change.mutate(isGood && name !== me.name ? { name } : {})
  })
  useEffect(() => () => onClosed(), [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <NameField
        label={strings.share.name}
        value={text}
        onChange={setText}
        onBlur={keep}
        problem={problem ?? change.error?.message ?? null}
      />
      <output className="text-sm text-muted empty:absolute">{change.isSuccess && strings.share.saved}</output>
    </form>
  )
}
