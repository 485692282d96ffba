'use client'

import { type CalloutKind, calloutKinds, calloutNames } from '@/lib/blocks/callout/callout-kinds.ts'
import { ChoiceMenu } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { calloutIcons } from './callout-icons.ts'

interface CalloutMenuProps {
  readonly kind: CalloutKind
  readonly onChoose: (kind: CalloutKind) => void
}

const choices = calloutKinds.map((id) => ({ id, name: calloutNames[id], Icon: calloutIcons[id] }))

export const CalloutMenu = ({ kind, ...menu }: CalloutMenuProps & PopupProps) => (
  <ChoiceMenu choices={choices} chosen={kind} {...menu} />
)
