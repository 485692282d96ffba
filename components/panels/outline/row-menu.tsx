'use client'

import { Menu } from '@base-ui/react/menu'
import { ArrowDown, ArrowUp, IndentDecrease, IndentIncrease, Link } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import type { Heading } from '@/lib/text/headings.ts'
import { MenuGroup, MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { sectionActions, type SectionAction } from '@/components/editor/sections/section-actions.ts'
import type { SectionMoves } from './use-section-moves.ts'
import { positionLinkStrings } from '@/lib/strings/position-link.ts'
import { outlineStrings } from '@/lib/strings/outline.ts'

const icons = { up: ArrowUp, down: ArrowDown, higher: IndentDecrease, lower: IndentIncrease }

export interface RowMenuProps {
  readonly anchor: RefObject<HTMLElement | null>
  readonly heading: Heading | undefined
  readonly sections: SectionMoves
  readonly canMove: boolean
  readonly onCopyLink: (heading: Heading) => void
}

/** One menu for all rows. Closing it focuses the row of the moved heading, which may be another element then. */
export default function RowMenu({
  anchor,
  heading,
  sections,
  canMove,
  onCopyLink,
  ...popup
}: RowMenuProps & PopupProps) {
  const chosenAction = useRef<SectionAction | null>(null)
  const chooseAction = (action: SectionAction) => {
    chosenAction.current = action
  }
  const onOpenChangeComplete = (open: boolean) => {
    if (open) chosenAction.current = null
    else if (heading && chosenAction.current) sections.moveByAction(heading, chosenAction.current)
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor} returnsFocus={() => chosenAction.current === null}>
        {heading && canMove && heading.index !== null && (
          <>
            <SectionItems heading={heading} sections={sections} chooseAction={chooseAction} />
            <Menu.Separator className="mx-1 my-1 h-px bg-line" />
          </>
        )}
        {heading && (
          <MenuItem name={positionLinkStrings.copy} Icon={Link} onClick={() => onCopyLink(heading)} />
        )}
      </MenuPopup>
    </Menu.Root>
  )
}

interface SectionItemsProps {
  readonly heading: Heading
  readonly sections: SectionMoves
  readonly chooseAction: (action: SectionAction) => void
}

const SectionItems = ({ heading, sections, chooseAction }: SectionItemsProps) => (
  <MenuGroup name={outlineStrings.menu.level(heading.level)}>
    {sectionActions.map(({ action, name, keysText }) => (
      <MenuItem
        key={action}
        name={name}
        Icon={icons[action]}
        keys={keysText}
        disabled={!sections.canMove(heading, action)}
        onClick={() => chooseAction(action)}
      />
    ))}
  </MenuGroup>
)
