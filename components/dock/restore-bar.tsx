'use client'

import { X } from 'lucide-react'
import { panels } from '@/components/panels/panel-registry.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import { Button } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { AllowPopupsHelp } from '@/components/windows/allow-popups-help.tsx'
import { windowCardClass } from '@/components/windows/window-card-class.ts'
import { windowsDialogStrings } from '@/lib/strings/windows-dialog.ts'

interface RestoreBarProps {
  /** The panels that were open and are not now. */
  readonly lostPanels: readonly PanelId[]
  /** Called during a click. */
  readonly onOpen: (panel: PanelId) => void
  readonly onDock: () => void
  readonly onDismiss: () => void
}

/** Has a button for each panel, because a browser opens one window per click. */
export default function RestoreBar({ lostPanels, onOpen, onDock, onDismiss }: RestoreBarProps) {
  return (
    <section
      aria-label={windowsDialogStrings.restore.label}
      data-pane="restore"
      className={windowCardClass}
      data-screen-only
    >
      <p className="font-medium">{windowsDialogStrings.restore.sentence(lostPanels.length)}</p>
      <span className="flex-1" />
      <Button shape="small" onClick={onDock}>
        {windowsDialogStrings.restore.dock(lostPanels.length)}
      </Button>
      <Hint text={windowsDialogStrings.restore.dismiss}>
        <Button
          look="quiet"
          shape="icon"
          aria-label={windowsDialogStrings.restore.dismiss}
          onClick={onDismiss}
        >
          <X size={16} aria-hidden />
        </Button>
      </Hint>
      <div className="flex basis-full flex-wrap gap-1.5">
        {lostPanels.map((panel) => {
          const { name, Icon } = panels[panel]
          return (
            <Button key={panel} shape="small" onClick={() => onOpen(panel)}>
              <Icon size={14} aria-hidden /> {windowsDialogStrings.restore.open(name)}
            </Button>
          )
        })}
      </div>
      {lostPanels.length > 1 && <AllowPopupsHelp />}
    </section>
  )
}
