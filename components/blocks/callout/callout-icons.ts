import { Info, Lightbulb, type LucideIcon, MessageSquareWarning, TriangleAlert } from 'lucide-react'
import type { CalloutKind } from '@/lib/blocks/callout/callout-kinds.ts'

/** callout.css draws the same ones. */
export const calloutIcons: Readonly<Record<CalloutKind, LucideIcon>> = {
  note: Info,
  tip: Lightbulb,
  important: MessageSquareWarning,
  warning: TriangleAlert,
}
