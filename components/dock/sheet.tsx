'use client'

import { PanelBody } from '@/components/panels/panel-body'
import { PanelFrame } from '@/components/panels/panel-frame'
import type { PanelId } from '@/lib/windows/panels.ts'
import { useDockHere } from './dock'

/** Where there is no room beside the text a panel lies over it, as long as one looks at it. */
export default function Sheet({ panel }: { panel: PanelId }) {
  const dock = useDockHere()
  return (
    <div className="fixed inset-x-0 top-(--header-height) bottom-0 z-10 bg-paper" data-screen-only>
      <PanelFrame panel={panel} onDetach={() => dock.detach(panel)} onClose={() => dock.close(panel)}>
        <PanelBody key={panel} panel={panel} docked {...dock.document} />
      </PanelFrame>
    </div>
  )
}
