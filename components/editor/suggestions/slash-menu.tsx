'use client'

import type { Editor } from '@tiptap/react'
import type { ToolbarItem } from '@/components/blocks/editor-block.ts'
import { blockItems } from '../menus/toolbar-items.ts'
import { runAsStep } from '@/components/binding/run-as-step.ts'
import { matchItems } from './match-items.ts'
import { SuggestionList } from './suggestion-list.tsx'
import type { Suggestion } from './suggestion.ts'
import { editorFormsStrings } from '@/lib/strings/editor-forms.ts'

/** The menu of blocks that `/` opens. */
export function SlashMenu({ editor, suggestion }: { editor: Editor; suggestion: Suggestion | null }) {
  // Where what was typed is no block, the keys are those of the text again.
  const items = suggestion?.sign === '/' ? itemsFor(editor, suggestion) : []
  return (
    <>
      <output className="sr-only">
        {items.length > 0 && editorFormsStrings.slashMenu.count(items.length)}
      </output>
      {suggestion && items.length > 0 && (
        <SuggestionList
          editor={editor}
          label={editorFormsStrings.slashMenu.label}
          suggestion={suggestion}
          items={items}
          onChoose={(item) => makeBlock(editor, suggestion, item)}
        />
      )}
    </>
  )
}

const itemsFor = (editor: Editor, { query }: Suggestion): readonly ToolbarItem[] =>
  matchItems(
    blockItems.filter(({ canRun }) => canRun?.(editor) ?? true),
    query,
  )

/** What was typed goes in the same step as the block is made. */
const makeBlock = (editor: Editor, { from, to }: Suggestion, item: ToolbarItem): void =>
  runAsStep(editor, () => item.run(editor.chain().focus().deleteRange({ from, to })).run())
