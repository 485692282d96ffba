'use client'

import { codeLineStyles } from '@/lib/desk/settings.ts'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { ChoiceMenu } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { codeBlockStrings } from '@/lib/strings/code-block.ts'

const choices = codeLineStyles.map((id) => ({ id, name: codeBlockStrings.lineStyles[id] }))

/** How a person reads code is their own choice, in all their windows, and no part of the text. */
export const CodeLinesMenu = (popup: PopupProps) => (
  <ChoiceMenu
    choices={choices}
    chosen={useSettings().codeLines}
    onChoose={(style) => settingsStore.set('codeLines', style)}
    align="end"
    {...popup}
  />
)
