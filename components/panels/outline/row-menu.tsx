'use client'

import { Menu } from '@base-ui/react/menu'
import { ArrowDown, ArrowUp, IndentDecrease, IndentIncrease } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import type { Heading } from '@/lib/text/headings.ts'
import { MenuPopup, menuItemClass } from '@/components/ui/menu'
import { shortcutText } from '@/components/ui/platform'
import type { PopupProps } from '@/components/ui/use-popup'
import { steps, type Step } from './steps.ts'
import type { Sections } from './use-sections'
import { strings } from '@/lib/strings/outline.ts'

const icons = { up: ArrowUp, down: ArrowDown, higher: IndentDecrease, lower: IndentIncrease }

export interface RowMenuProps {
  readonly anchor: RefObject<HTMLElement | null>
  readonly heading: Heading | undefined
  readonly sections: Sections
}

/** One menu for all rows. The keyboard goes to the row of what was moved, which may be another element then. */
export default function RowMenu({ anchor, heading, sections, ...popup }: RowMenuProps & PopupProps) {
  const chosen = useRef<Step | null>(null)
  const choose = (step: Step) => {
    chosen.current = step
  }
  const onChanged = (open: boolean) => {
    if (open) chosen.current = null
    else if (heading && chosen.current) sections.step(heading, chosen.current)
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onChanged}>
      <MenuPopup anchor={anchor} givesBack={() => chosen.current === null}>
        {heading && <Items heading={heading} sections={sections} choose={choose} />}
      </MenuPopup>
    </Menu.Root>
  )
}

interface ItemsProps {
  readonly heading: Heading
  readonly sections: Sections
  readonly choose: (step: Step) => void
}

const Items = ({ heading, sections, choose }: ItemsProps) => (
  <Menu.Group>
    <Menu.GroupLabel className="px-2.5 py-1.5 text-xs text-muted">
      {strings.menu.level(heading.level)}
    </Menu.GroupLabel>
    {steps.map(({ step, name, shown }) => {
      const Icon = icons[step]
      return (
        <Menu.Item
          key={step}
          className={menuItemClass}
          disabled={!sections.can(heading, step)}
          onClick={() => choose(step)}
        >
          <Icon size={16} aria-hidden className="text-muted" />
          <span className="flex-1 pr-6">{name}</span>
          <kbd className="font-sans text-xs text-muted">{shortcutText(shown)}</kbd>
        </Menu.Item>
      )
    })}
  </Menu.Group>
)
