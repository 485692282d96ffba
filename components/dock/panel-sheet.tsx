'use client'

import { PanelBody } from '@/components/panels/panel-body.tsx'
import { PanelFrame } from '@/components/panels/panel-frame.tsx'
import type { PanelId } from '@/lib/windows/panels.ts'
import { useRequiredDock } from './dock.ts'

/** Without room beside the text, a panel covers it while the person uses the panel. */
export default function PanelSheet({ panel }: { panel: PanelId }) {
  const dock = useRequiredDock()
  return (
    <div className="fixed inset-x-0 top-(--header-height) bottom-0 z-10 bg-paper" data-screen-only>
      <PanelFrame
        panel={panel}
        onDetach={() => dock.detachPanel(panel)}
        onClose={() => dock.closePanel(panel)}
      >
        <PanelBody key={panel} panel={panel} docked {...dock.document} />
      </PanelFrame>
    </div>
  )
}
