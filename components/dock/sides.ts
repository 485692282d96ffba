/** What stands beside the text, and what only says that it stands elsewhere. */
import type { Item, Side } from '@/lib/windows/layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Dock } from './dock'

type Shown = Pick<Dock, 'layout' | 'lost' | 'isWide'>

const present = ({ layout, lost }: Shown, side: Side): readonly Item[] =>
  layout[side].filter(({ panel }) => !lost.includes(panel))

const isChip = ({ detached }: Item): boolean => detached

/** The column on that side: empty where there is no panel to show in it. */
export function columnOf(dock: Shown, side: Side): readonly Item[] {
  const items = present(dock, side)
  return dock.isWide && !items.every(isChip) ? items : []
}

/** Those whose side has no column. */
export const chipsInRow = (dock: Shown): readonly PanelId[] =>
  (['left', 'right'] as const)
    .filter((side) => columnOf(dock, side).length === 0)
    .flatMap((side) => present(dock, side).filter(isChip))
    .map(({ panel }) => panel)
