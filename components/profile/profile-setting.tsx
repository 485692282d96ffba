'use client'

import { palette } from '@/lib/protocol/palette.ts'
import { useOwnProfile } from './own-profile.ts'
import { defaultColourOf } from './person-colours.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import { profileStrings } from '@/lib/strings/profile.ts'

const loadDialog = () => import('./profile-dialog.tsx')

export function ProfileSetting() {
  const { profile: me } = useOwnProfile()
  const { trigger, Popup, popup } = usePopup('dialog', loadDialog)
  if (!me) return null
  return (
    <section className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="flex min-w-0 flex-1 basis-48 items-center gap-2.5">
        <span
          aria-hidden
          className="size-3.5 shrink-0 rounded-full"
          style={{ background: me.colour ? palette[me.colour] : defaultColourOf(me.id) }}
        />
        <span className="truncate">
          <Sentence
            parts={profileStrings.setting.shownAs(<strong className="font-semibold">{me.name}</strong>)}
          />
        </span>
      </p>
      <button {...trigger} className={buttonClass()}>
        {profileStrings.setting.open}
      </button>
      {Popup && <Popup {...popup} />}
    </section>
  )
}
