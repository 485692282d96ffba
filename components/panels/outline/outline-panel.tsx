'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import type { Branch } from '@/lib/text/headings.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { mayWrite } from '@/components/opening/may-write'
import type { PanelProps } from '@/components/panels/panel'
import { usePopup } from '@/components/ui/use-popup'
import { textOf } from '../use-tree'
import { blockAfter } from './drop.ts'
import { OutlineRow, type RowActions } from './outline-row'
import type { RowMenuProps } from './row-menu'
import { useDrag, type Drag } from './use-drag'
import { useCurrentHeading, useGoTo } from '@/components/following/context'
import { useOutline } from './use-headings'
import { nameOf, useSections } from './use-sections'

const loadMenu = () => import('./row-menu')

export default function OutlinePanel({ opened, status, role }: PanelProps) {
  const { headings, branches } = useOutline(opened)
  const list = useRef<HTMLElement>(null)
  const [stop, setStop] = useState(0)
  const goTo = useGoTo()
  const current = useCurrentHeading()
  const sections = useSections(opened, list, headings)
  const onDrop = ({ row, before }: Drag) => {
    const heading = headings[row]
    if (heading) sections.move(heading, blockAfter(headings, before, treeOf(textOf(opened)).length))
  }
  const { drag, press } = useDrag(list, onDrop)
  const anchor = useRef<HTMLElement>(null)
  const [menuRow, setMenuRow] = useState(0)
  const { trigger, Popup, popup } = usePopup<RowMenuProps>('menu', loadMenu)
  const actions = useSteadyActions({
    go: (row) => headings[row] && goTo({ at: headings[row].anchor }),
    step: (row, step) => headings[row] && sections.step(headings[row], step),
    press,
    focused: setStop,
    openMenu(row, button) {
      anchor.current = button
      setMenuRow(row)
      trigger.onClick()
    },
    nearMenu: trigger.onPointerEnter,
    focus: (row) => list.current?.querySelectorAll<HTMLElement>('[data-go]')[row]?.focus(),
  })
  if (headings.length === 0) return <NoHeadings />
  const editable = mayWrite({ role, status })
  const rows = new Map(headings.map((heading, row) => [heading, row]))
  const rowOf = ({ heading, children }: Branch, depth: number) => {
    const row = rows.get(heading)!
    return (
      <li key={heading.block.id}>
        <OutlineRow
          row={row}
          rows={headings.length}
          name={nameOf(heading)}
          isBlank={heading.text === ''}
          depth={depth}
          isCurrent={current?.at === heading.anchor}
          isStop={row === Math.min(stop, headings.length - 1)}
          canMove={editable && heading.index !== null}
          look={lookOf(row, drag, headings.length)}
          actions={actions}
          isOpen={popup.open && row === menuRow}
        />
        {children.length > 0 && <ol>{children.map((child) => rowOf(child, depth + 1))}</ol>}
      </li>
    )
  }
  return (
    <nav
      ref={list}
      aria-label="Headings"
      className={`mx-auto w-full max-w-3xl p-2 ${drag ? 'cursor-grabbing select-none' : ''}`}
    >
      <ol>{branches.map((branch) => rowOf(branch, 0))}</ol>
      {Popup && <Popup anchor={anchor} heading={headings[menuRow]} sections={sections} {...popup} />}
      <output className="sr-only">{sections.said}</output>
    </nav>
  )
}

const NoHeadings = () => (
  <div className="p-4 text-sm text-muted">
    <p className="text-ink">No headings yet.</p>
    <p className="mt-1">A line that begins with # and a space becomes one. All of them are listed here.</p>
  </div>
)

function lookOf(row: number, drag: Drag | null, rows: number) {
  if (!drag) return 'plain'
  if (row === drag.before) return 'line above'
  if (row === rows - 1 && drag.before === rows) return 'line below'
  return row === drag.row ? 'dragged' : 'plain'
}

/** The same object for good, so that rows that did not change are not drawn again. */
function useSteadyActions(actions: RowActions): RowActions {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      go: (row) => latest.current.go(row),
      step: (row, step) => latest.current.step(row, step),
      press: (row, event) => latest.current.press(row, event),
      focused: (row) => latest.current.focused(row),
      openMenu: (row, anchor) => latest.current.openMenu(row, anchor),
      nearMenu: () => latest.current.nearMenu(),
      focus: (row) => latest.current.focus(row),
    }),
    [],
  )
}
