/** The items beside the text: docked panels, and chips for detached ones. */
import type { LayoutItem, DockSide } from '@/lib/windows/panel-layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Dock } from './dock.ts'

type DockState = Pick<Dock, 'layout' | 'lostPanels' | 'hasColumns'>

const visibleItems = ({ layout, lostPanels }: DockState, side: DockSide): readonly LayoutItem[] =>
  layout[side].filter(({ panel }) => !lostPanels.includes(panel))

const isDetached = ({ detached }: LayoutItem): boolean => detached

/** The items of the column on that side; empty if it has no panel to show. */
export function columnItemsOf(dock: DockState, side: DockSide): readonly LayoutItem[] {
  const items = visibleItems(dock, side)
  return dock.hasColumns && !items.every(isDetached) ? items : []
}

/** The detached panels whose side has no column. */
export const detachedPanelsInRow = (dock: DockState): readonly PanelId[] =>
  (['left', 'right'] as const)
    .filter((side) => columnItemsOf(dock, side).length === 0)
    .flatMap((side) => visibleItems(dock, side).filter(isDetached))
    .map(({ panel }) => panel)
