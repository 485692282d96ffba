import { FileText, Files, Settings, type LucideIcon } from 'lucide-react'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import type { WindowKind } from '@/lib/windows/window-state.ts'
import { panels } from '@/components/panels/panel-registry.ts'

export const windowIcons: Readonly<Record<WindowKind, LucideIcon>> = {
  text: FileText,
  documents: Files,
  settings: Settings,
  ...(Object.fromEntries(panelIds.map((id) => [id, panels[id].Icon])) as Record<PanelId, LucideIcon>),
}
