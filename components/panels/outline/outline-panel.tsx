'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import type { Heading } from '@/lib/text/headings.ts'
import { positionHashOf } from '@/lib/following/position-link.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { canWrite } from '@/components/opening/can-write.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { textFragmentOf } from '@/components/binding/use-text-tree.ts'
import { sectionHelpCommands } from '@/components/editor/sections/section-actions.ts'
import { OutlineTree } from './outline-tree.tsx'
import { dropBlockIndex } from './drop-target.ts'
import { OutlineRow, type RowActions } from './outline-row.tsx'
import { useRowDrag, type RowDrag } from './use-row-drag.ts'
import { copyLinkTo } from '@/components/following/copy-position-link.ts'
import { useCurrentHeading, useGoTo } from '@/components/following/following-context.ts'
import { useOutline } from './use-outline.ts'
import { useRowMenu } from './use-row-menu.ts'
import { useSectionMoves } from './use-section-moves.ts'
import { outlineStrings } from '@/lib/strings/outline.ts'

export default function OutlinePanel({ document, opened, status, role }: PanelProps) {
  const { headings, nodes } = useOutline(opened)
  const list = useRef<HTMLElement>(null)
  const [tabStop, setTabStop] = useState(0)
  const goTo = useGoTo()
  const current = useCurrentHeading()
  const sections = useSectionMoves(opened, list, headings)
  const { drag, startDrag } = useRowDrag(list, ({ block, before }) => {
    const heading = headings.find((candidate) => candidate.block.id === block)
    if (heading)
      sections.moveBefore(heading, dropBlockIndex(headings, before, treeOf(textFragmentOf(opened)).length))
  })
  useCommands(sectionHelpCommands)
  const { Popup, popup, ...rowMenu } = useRowMenu(headings)
  const actions = useStableActions({
    goTo: (heading) => goTo({ at: heading.anchor }),
    runAction: sections.moveByAction,
    startDrag: (heading, event) => startDrag(heading.block.id, event),
    onRowFocus: setTabStop,
    openMenu: rowMenu.openMenu,
    prepareMenu: rowMenu.prepareMenu,
    focusRow: (row) => list.current?.querySelectorAll<HTMLElement>('[data-go]')[row]?.focus(),
  })
  if (headings.length === 0) return <NoHeadings />
  const editable = canWrite({ role, status })
  const copyLink = ({ anchor, text }: Heading) =>
    void copyLinkTo(document, positionHashOf({ at: anchor }, text))
  const rows = new Map(headings.map((heading, row) => [heading, row]))
  const renderRow = (heading: Heading, depth: number) => {
    const row = rows.get(heading)!
    return (
      <OutlineRow
        heading={heading}
        row={row}
        rows={headings.length}
        depth={depth}
        isCurrent={current?.at === heading.anchor}
        isTabStop={row === Math.min(tabStop, headings.length - 1)}
        canMove={editable && heading.index !== null}
        look={rowLookOf(heading, row, headings.length, drag)}
        actions={actions}
        isOpen={rowMenu.isOpenAt(heading)}
      />
    )
  }
  return (
    <nav
      ref={list}
      aria-label={outlineStrings.label}
      className={`mx-auto w-full max-w-3xl p-2 ${drag ? 'cursor-grabbing select-none' : ''}`}
    >
      <OutlineTree nodes={nodes} renderRow={renderRow} />
      {Popup && <Popup sections={sections} canMove={editable} onCopyLink={copyLink} {...popup} />}
      <output className="sr-only">{sections.announcement}</output>
    </nav>
  )
}

const NoHeadings = () => (
  <div className="p-4 text-sm text-muted">
    <p className="text-ink">{outlineStrings.empty.title}</p>
    <p className="mt-1">{outlineStrings.empty.hint}</p>
  </div>
)

function rowLookOf({ block }: Heading, row: number, rows: number, drag: RowDrag | null) {
  if (!drag) return 'plain'
  if (row === drag.before) return 'line above'
  if (row === rows - 1 && drag.before === rows) return 'line below'
  return block.id === drag.block ? 'dragged' : 'plain'
}

/** Always returns the same object, so that unchanged rows are not redrawn. */
function useStableActions(actions: RowActions): RowActions {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      goTo: (heading) => latest.current.goTo(heading),
      runAction: (heading, step) => latest.current.runAction(heading, step),
      startDrag: (heading, event) => latest.current.startDrag(heading, event),
      onRowFocus: (row) => latest.current.onRowFocus(row),
      openMenu: (heading, anchor) => latest.current.openMenu(heading, anchor),
      prepareMenu: () => latest.current.prepareMenu(),
      focusRow: (row) => latest.current.focusRow(row),
    }),
    [],
  )
}
