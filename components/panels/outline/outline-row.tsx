'use client'

import { Ellipsis, GripVertical } from 'lucide-react'
import { memo, type KeyboardEvent, type PointerEvent } from 'react'
import type { Heading } from '@/lib/text/headings.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { type SectionAction, sectionActions } from '@/components/editor/sections/section-actions.ts'
import type { RowPress } from './use-row-drag.ts'
import { headingName } from '@/components/editor/sections/section-moves.ts'
import { outlineStrings } from '@/lib/strings/outline.ts'

const keyShortcuts = sectionActions.map(({ keys }) => keys).join(' ')

export interface RowActions {
  goTo(heading: Heading): void
  runAction(heading: Heading, step: SectionAction): void
  startDrag(heading: Heading, event: RowPress): void
  onRowFocus(row: number): void
  openMenu(heading: Heading, anchor: HTMLElement): void
  /** Preloads the menu, which may be needed soon. */
  prepareMenu(): void
  /** Moves the focus to a row; does nothing if there is none. */
  focusRow(row: number): void
}

interface OutlineRowProps {
  readonly heading: Heading
  readonly row: number
  readonly rows: number
  readonly depth: number
  readonly isCurrent: boolean
  /** Whether Tab stops at this row: at exactly one of all. */
  readonly isTabStop: boolean
  readonly canMove: boolean
  /** Whether its menu is open. */
  readonly isOpen: boolean
  readonly look: 'dragged' | 'line above' | 'line below' | 'plain'
  readonly actions: RowActions
}

const lookClasses = {
  plain: '',
  dragged: 'opacity-45',
  'line above':
    'before:absolute before:inset-x-0 before:-top-px before:h-0.5 before:rounded before:bg-accent',
  'line below':
    'before:absolute before:inset-x-0 before:-bottom-px before:h-0.5 before:rounded before:bg-accent',
}

/** One heading. A click or Enter goes there. */
export const OutlineRow = memo(function OutlineRow(props: OutlineRowProps) {
  const { heading, row, depth, isCurrent, isTabStop, canMove, isOpen, look, actions } = props
  const name = headingName(heading)
  return (
    <div
      data-row
      className={`group relative flex scroll-my-8 items-center rounded-md hover:bg-sunk ${isCurrent ? 'bg-accent-soft' : ''} ${lookClasses[look]}`}
      style={{ paddingInlineStart: `${Math.min(depth, 5) * 0.9}rem` }}
    >
      <button
        type="button"
        data-go
        dir="auto"
        aria-current={isCurrent ? 'location' : undefined}
        aria-keyshortcuts={canMove ? keyShortcuts : undefined}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => actions.goTo(heading)}
        onFocus={() => actions.onRowFocus(row)}
        onKeyDown={(event) => onKeyDown(event, props)}
        onPointerDown={(event) => onPointerDown(event, props)}
        className={`min-h-8 min-w-0 flex-1 rounded-md px-2 py-1 text-start text-sm wrap-anywhere outline-offset-[-2px] ${depth === 0 ? 'font-medium' : ''} ${isCurrent ? 'text-accent' : heading.text === '' ? 'text-muted italic' : ''}`}
      >
        {name}
      </button>
      <button
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        aria-label={outlineStrings.menu.open(name)}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={(event) => actions.openMenu(heading, event.currentTarget)}
        onPointerEnter={actions.prepareMenu}
        onFocus={actions.prepareMenu}
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} px-1.5 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100 ${isOpen ? '' : 'opacity-0'}`}
      >
        <Ellipsis size={16} aria-hidden />
      </button>
      {canMove && (
        <span
          data-grip
          aria-hidden
          onPointerDown={(event) => onPointerDown(event, props)}
          className="hidden size-8 shrink-0 touch-none place-items-center text-muted pointer-coarse:grid"
        >
          <GripVertical size={16} />
        </span>
      )}
    </div>
  )
})

function onKeyDown(
  event: KeyboardEvent<HTMLElement>,
  { heading, row, rows, canMove, actions }: OutlineRowProps,
): void {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event
  if (ctrlKey || metaKey) return
  const pressedKeys = `${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${key}`
  const match = canMove && sectionActions.find(({ keys }) => keys === pressedKeys)
  const next = { ArrowUp: row - 1, ArrowDown: row + 1, Home: 0, End: rows - 1 }[pressedKeys]
  if (match) actions.runAction(heading, match.action)
  else if (next !== undefined) actions.focusRow(next)
  else return
  event.preventDefault()
}

/** Starts a drag. The mouse drags a row anywhere, a finger only by its grip: elsewhere it scrolls. */
function onPointerDown(
  event: PointerEvent<HTMLElement>,
  { heading, canMove, actions }: OutlineRowProps,
): void {
  const isGrip = event.currentTarget.dataset.grip !== undefined
  if (canMove && event.button === 0 && (isGrip || event.pointerType === 'mouse'))
    actions.startDrag(heading, event)
}
