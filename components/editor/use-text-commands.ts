'use client'

import type { Editor } from '@tiptap/react'
import type { OpenDocument } from '@/lib/client.ts'
import { stretchOfMatch } from '@/lib/text/find.ts'
import type { Command } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { finderOf } from '@/components/panels/find/finder-here'
import { wish } from '@/components/panels/wish'
import { rangeOf } from './highlights'
import { blockGroup, markGroup, type ToolbarItem } from './toolbar-items'

interface TextCommands {
  readonly opened: OpenDocument
  readonly editor: Editor
  readonly editable: boolean
  readonly onLink: () => void
  readonly onComment: () => void
}

/** What the text can do. Its marks and blocks have keys that the editor listens to itself. */
export function useTextCommands({ opened, editor, editable, onLink, onComment }: TextCommands): void {
  const items = [...markGroup.items, ...blockGroup.items]
  useCommands([
    { id: 'text', title: 'Go to the text', section: 'Go to', run: () => editor.commands.focus() },
    findCommand(editor),
    foundCommand(editor, opened),
    ...(editable
      ? [
          toolbarCommand,
          linkCommand(editor, onLink),
          commentCommand(onComment),
          ...items.map((item) => commandOf(editor, item)),
        ]
      : []),
  ])
}

/** As in other editors. */
const toolbarCommand: Command = {
  id: 'toolbar',
  title: 'Go to the toolbar',
  section: 'Go to',
  keys: 'Alt+F10',
  run: () => document.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus(),
}

/** Its keys are those of the palette where nothing is selected. */
const linkCommand = (editor: Editor, onLink: () => void): Command => ({
  id: 'link',
  title: 'Link',
  section: 'Text',
  keys: 'Mod+K',
  when: () => !editor.state.selection.empty || editor.isActive('link'),
  run: onLink,
})

/** What is selected is what one looks for next, unless it is more than that. */
const findCommand = (editor: Editor): Command => ({
  id: 'find',
  title: 'Find and replace',
  section: 'Go to',
  keys: 'Mod+F',
  run: () => {
    const { state } = editor
    const { from, to } = state.selection
    const selected = state.doc.textBetween(from, to, '\n')
    wish({ panel: 'find', text: selected.includes('\n') ? '' : selected.slice(0, 200) })
  },
})

/** Selected, to be worked on. */
const foundCommand = (editor: Editor, opened: OpenDocument): Command => ({
  id: 'found',
  title: 'Select what was found',
  section: 'Go to',
  when: () => finderOf(opened).get().current !== null,
  run: () => {
    const { matches, current } = finderOf(opened).get()
    const match = matches[current ?? 0]
    const range = match && rangeOf(editor.state.doc, stretchOfMatch(match))
    if (range) editor.chain().focus().setTextSelection(range).run()
  },
})

const commentCommand = (run: () => void): Command => ({
  id: 'comment',
  title: 'Comment on the selection',
  section: 'Text',
  keys: 'Mod+Alt+M',
  run,
})

const commandOf = (editor: Editor, { name, keys, run, canRun }: ToolbarItem): Command => ({
  id: `text:${name}`,
  title: name,
  section: 'Text',
  ...(keys && { keys, keysInText: true }),
  ...(canRun && { when: () => canRun(editor) }),
  run: () => void run(editor.chain().focus()).run(),
})
