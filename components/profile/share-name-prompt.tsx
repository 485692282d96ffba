'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { Profile } from '@/components/http-api.ts'
import { useOwnProfile } from './own-profile.ts'
import { NameField } from './name-field.tsx'
import { useChangeProfile } from './use-change-profile.ts'
import { useNameDraft } from './use-name-draft.ts'
import { profileStrings } from '@/lib/strings/profile.ts'

/** Asks a person who shares for the first time what name others should see. */
export function ShareNamePrompt() {
  const { profile: me, state } = useOwnProfile()
  const [wasAsked] = useState(me?.asked ?? true)
  return !wasAsked && me && state === 'known' ? <NamePromptForm me={me} /> : null
}

/** Saves the name when the field loses the focus: a person who goes on to create a link has answered. */
function NamePromptForm({ me }: { me: Profile }) {
  const { text, setText, name, isValid, problem } = useNameDraft(me.name)
  const profileChange = useChangeProfile()
  const saveName = () => {
    if (isValid && name !== me.name) void profileChange.run({ name })
  }
  const onClosed = useEffectEvent(() => {
    if (!me.asked) void profileChange.run(isValid && name !== me.name ? { name } : {})
  })
  useEffect(() => () => onClosed(), [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saveName()
      }}
    >
      <NameField
        label={profileStrings.share.name}
        value={text}
        onChange={setText}
        onBlur={saveName}
        problem={problem ?? profileChange.error?.message ?? null}
      />
      <output className="text-sm text-muted empty:absolute">
        {profileChange.state === 'done' && profileStrings.share.saved}
      </output>
    </form>
  )
}
