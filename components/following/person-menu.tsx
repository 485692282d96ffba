'use client'

import { Menu } from '@base-ui/react/menu'
import { Eye, EyeOff, MapPin } from 'lucide-react'
import { MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { usePersonActions } from './use-person-actions.ts'
import { followingStrings } from '@/lib/strings/following.ts'

export interface PersonMenuProps {
  readonly person: string
  readonly hasCaret: boolean
}

export default function PersonMenu({ anchor, person, hasCaret, ...popup }: PersonMenuProps & PopupProps) {
  const { isFollowed, toggleFollow, goToCaret } = usePersonActions(person)
  return (
    <Menu.Root {...popup}>
      <MenuPopup anchor={anchor}>
        <MenuItem
          name={followingStrings.personMenu.goTo}
          Icon={MapPin}
          disabled={!hasCaret}
          onClick={goToCaret}
        />
        <MenuItem
          name={followingStrings.personMenu[isFollowed ? 'stop' : 'follow']}
          Icon={isFollowed ? EyeOff : Eye}
          onClick={toggleFollow}
        />
      </MenuPopup>
    </Menu.Root>
  )
}
