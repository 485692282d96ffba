'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import type { Heading } from '@/lib/text/headings.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { useCommands } from '@/components/commands/use-commands'
import { mayWrite } from '@/components/opening/may-write'
import type { PanelProps } from '@/components/panels/panel'
import { textOf } from '../use-tree'
import { stepKeys } from './steps.ts'
import { Branches } from './branches'
import { blockAfter } from './drop.ts'
import { OutlineRow, type RowActions } from './outline-row'
import { useDrag, type Drag } from './use-drag'
import { useCurrentHeading, useGoTo } from '@/components/following/context'
import { useOutline } from './use-headings'
import { useRowMenu } from './use-row-menu'
import { useSections } from './use-sections'
import { strings } from '@/lib/strings/outline.ts'

export default function OutlinePanel({ opened, status, role }: PanelProps) {
  const { headings, branches } = useOutline(opened)
  const list = useRef<HTMLElement>(null)
  const [stop, setStop] = useState(0)
  const goTo = useGoTo()
  const current = useCurrentHeading()
  const sections = useSections(opened, list, headings)
  const { drag, press } = useDrag(list, ({ block, before }) => {
    const heading = headings.find((each) => each.block.id === block)
    if (heading) sections.move(heading, blockAfter(headings, before, treeOf(textOf(opened)).length))
  })
  useCommands(stepKeys)
  const { Popup, popup, ...menu } = useRowMenu(headings)
  const actions = useSteadyActions({
    go: (heading) => goTo({ at: heading.anchor }),
    step: sections.step,
    press: (heading, event) => press(heading.block.id, event),
    focused: setStop,
    openMenu: menu.open,
    nearMenu: menu.near,
    focus: (row) => list.current?.querySelectorAll<HTMLElement>('[data-go]')[row]?.focus(),
  })
  if (headings.length === 0) return <NoHeadings />
  const editable = mayWrite({ role, status })
  const rows = new Map(headings.map((heading, row) => [heading, row]))
  const rowOf = (heading: Heading, depth: number) => {
    const row = rows.get(heading)!
    return (
      <OutlineRow
        heading={heading}
        row={row}
        rows={headings.length}
        depth={depth}
        isCurrent={current?.at === heading.anchor}
        isStop={row === Math.min(stop, headings.length - 1)}
        canMove={editable && heading.index !== null}
        look={lookOf(heading, row, headings.length, drag)}
        actions={actions}
        isOpen={menu.isOpenAt(heading)}
      />
    )
  }
  return (
    <nav
      ref={list}
      aria-label={strings.label}
      className={`mx-auto w-full max-w-3xl p-2 ${drag ? 'cursor-grabbing select-none' : ''}`}
    >
      <Branches branches={branches} row={rowOf} />
      {Popup && <Popup sections={sections} {...popup} />}
      <output className="sr-only">{sections.said}</output>
    </nav>
  )
}

const NoHeadings = () => (
  <div className="p-4 text-sm text-muted">
    <p className="text-ink">{strings.empty.title}</p>
    <p className="mt-1">{strings.empty.hint}</p>
  </div>
)

function lookOf({ block }: Heading, row: number, rows: number, drag: Drag | null) {
  if (!drag) return 'plain'
  if (row === drag.before) return 'line above'
  if (row === rows - 1 && drag.before === rows) return 'line below'
  return block.id === drag.block ? 'dragged' : 'plain'
}

/** The same object for good, so that rows that did not change are not drawn again. */
function useSteadyActions(actions: RowActions): RowActions {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      go: (heading) => latest.current.go(heading),
      step: (heading, step) => latest.current.step(heading, step),
      press: (heading, event) => latest.current.press(heading, event),
      focused: (row) => latest.current.focused(row),
      openMenu: (heading, anchor) => latest.current.openMenu(heading, anchor),
      nearMenu: () => latest.current.nearMenu(),
      focus: (row) => latest.current.focus(row),
    }),
    [],
  )
}
