'use client'

import { Menu } from '@base-ui/react/menu'
import { Eye, EyeOff, MapPin } from 'lucide-react'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { usePersonActions } from './use-person-actions.ts'
import { followingStrings } from '@/lib/strings/following.ts'

export interface PersonMenuProps {
  readonly person: string
  readonly hasCaret: boolean
}

export default function PersonMenu({ anchor, person, hasCaret, ...popup }: PersonMenuProps & PopupProps) {
  const { isFollowed, toggleFollow, goToCaret } = usePersonActions(person)
  const Icon = isFollowed ? EyeOff : Eye
  return (
    <Menu.Root {...popup}>
      <MenuPopup anchor={anchor}>
        <Menu.Item className={menuItemClass} disabled={!hasCaret} onClick={goToCaret}>
          <MapPin size={16} aria-hidden className="text-muted" /> {followingStrings.personMenu.goTo}
        </Menu.Item>
        <Menu.Item className={menuItemClass} onClick={toggleFollow}>
          <Icon size={16} aria-hidden className="text-muted" />{' '}
          {isFollowed ? followingStrings.personMenu.stop : followingStrings.personMenu.follow}
        </Menu.Item>
      </MenuPopup>
    </Menu.Root>
  )
}
