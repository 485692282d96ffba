'use client'

import { Combobox } from '@base-ui/react/combobox'
import { Check } from 'lucide-react'
import {
  type CodeLanguage,
  codeLanguageNamed,
  codeLanguages,
} from '@/lib/blocks/code-block/code-languages.ts'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { codeBlockStrings } from '@/lib/strings/code-block.ts'

interface CodeLanguagePickerProps {
  readonly language: string | null
  readonly onChoose: (language: string | null) => void
}

const plainText: CodeLanguage = { id: '', name: codeBlockStrings.plainText, aliases: ['text', 'txt', 'none'] }
const choices = [plainText, ...codeLanguages]

/** Finds a language by its name and by what people write for it. */
const matches = ({ name, aliases }: CodeLanguage, query: string): boolean => {
  const typed = query.trim().toLowerCase()
  return [name.toLowerCase(), ...aliases].some((word) => word.includes(typed))
}

export function CodeLanguagePicker({
  language,
  onChoose,
  anchor,
  ...popup
}: CodeLanguagePickerProps & PopupProps) {
  return (
    <Combobox.Root
      {...popup}
      items={choices}
      value={language === null ? plainText : codeLanguageNamed(language)}
      onValueChange={(chosen: CodeLanguage | null) => onChoose(chosen?.id || null)}
      itemToStringLabel={({ name }: CodeLanguage) => name}
      filter={matches}
      autoHighlight
    >
      <Combobox.Portal>
        <Combobox.Positioner
          anchor={anchor}
          // What others write moves the anchor.
          disableAnchorTracking
          sideOffset={6}
          align="start"
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Combobox.Popup
            aria-label={codeBlockStrings.searchLanguage}
            className="popup-motion flex max-h-[min(22rem,var(--available-height))] w-56 flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-float outline-none"
          >
            <Combobox.Input
              aria-label={codeBlockStrings.searchLanguage}
              placeholder={codeBlockStrings.searchLanguage}
              className="h-10 w-full shrink-0 border-b border-line bg-transparent px-3.5 text-sm outline-none placeholder:text-muted"
            />
            <Combobox.Empty>
              <p className="px-3.5 py-3 text-sm text-muted">{codeBlockStrings.noLanguage}</p>
            </Combobox.Empty>
            <Combobox.List className="overflow-y-auto overscroll-contain p-1 data-empty:hidden">
              {(one: CodeLanguage) => (
                <Combobox.Item
                  key={one.id}
                  value={one}
                  className="flex min-h-8 items-center gap-2.5 rounded-md px-2.5 text-sm outline-none select-none data-highlighted:bg-sunk"
                >
                  <span className="flex-1">{one.name}</span>
                  <Combobox.ItemIndicator>
                    <Check size={16} aria-hidden className="text-accent" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
